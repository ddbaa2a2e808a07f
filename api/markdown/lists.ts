// The list pages as Markdown: home, proposals, validators, votes of a validator, ballots of a voter.
import { firstCommand, NO_TOKEN, PROGRAM_LINKS } from '../for-programs.ts'
import { type PoolStanding, PURPOSE, pluralize, poolStateInWords } from '../in-words.ts'
import type { PageContext, PageData } from '../resources/page-data.ts'
import type { ProposalSummary } from '../schemas/proposal.ts'
import {
  amountText,
  asOfLine,
  choicesText,
  listFooter,
  outcomeText,
  pageLinks,
  percent,
  poolLink,
  proposalLink,
  quotedNote,
  statusText,
  UNKNOWN,
} from './parts.ts'
import { blocks, inline, inlineOr, link, list, table } from './text.ts'

const tableOrNone = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  rows.length === 0 ? 'None.' : table(head, rows)

const titleNote = ({ titleSource }: ProposalSummary): string =>
  titleSource === 'metadata' ? ' (title from the metadata)' : ''

const proposalTable = (items: readonly ProposalSummary[], at: PageContext): string => {
  const rows = items.map((proposal) => [
    `${proposalLink(proposal, at)}${titleNote(proposal)}`,
    outcomeText(proposal),
    inlineOr(proposal.votingEndTime, ''),
    proposal.tally ? percent(proposal.tally.turnout) : '',
  ])
  return tableOrNone(['proposal', 'status', 'voting ends', 'turnout'], rows)
}

const poolState = (pool: PoolStanding): string => inline(poolStateInWords(pool))

const programLinks = ({ baseUrl }: PageContext): string =>
  list(...PROGRAM_LINKS.map(({ path, label, text }) => `${link(label, baseUrl + path)}: ${text}`))

const firstRequest = (at: PageContext): string =>
  `${NO_TOKEN} The newest proposals as JSON: \`${firstCommand(at.serviceUrl ?? at.baseUrl)}\``

const ABOUT =
  `${PURPOSE} The same is an open API, in which a validator is a pool. ` +
  'Rollcall never votes and never moves funds.'

const MARKDOWN_PAGES =
  'Every page is available with `Accept: text/markdown`: /proposals, /proposals/{proposalId}, ' +
  '/pools, /pools/{operatorAddress}, /voters/{address}, /status.'

export const homeMarkdown = (data: PageData['home'], at: PageContext): string =>
  blocks(
    '# Rollcall',
    ABOUT,
    '## Latest proposals',
    data ? quotedNote('Titles') : null,
    data ? proposalTable(data.items, at) : 'No data is available at the moment.',
    data ? link(`All proposals (${data.page.totalItems})`, `${at.baseUrl}/proposals`) : null,
    '## For developers',
    firstRequest(at),
    programLinks(at),
    MARKDOWN_PAGES,
    data ? asOfLine(data.asOf, at) : null,
    link('Status', `${at.baseUrl}/status`),
  )

export const proposalsMarkdown = (data: PageData['proposals'], at: PageContext): string =>
  blocks(
    '# Proposals',
    'Newest first; with `q` the best match first. Filters: `status`, `proposer`, `messageType` and `q` in the query.',
    quotedNote('Titles'),
    proposalTable(data.items, at),
    ...listFooter(data, at),
  )

export const searchMarkdown = (
  { text, pools, poolCount, proposals }: PageData['search'],
  at: PageContext,
): string =>
  blocks(
    '# Search results',
    `Validators that match ${inline(text)}: ${poolCount}. Proposals: ${proposals.page.totalItems}.`,
    quotedNote('Names and titles'),
    pools.length === 0 ? null : '## Validators',
    pools.length === 0 ? null : list(...pools.map((pool) => poolLink(pool, at))),
    '## Proposals, best match first',
    proposalTable(proposals.items, at),
    ...listFooter(proposals, at),
  )

export const ballotsMarkdown = (data: PageData['ballots'], at: PageContext): string => {
  const { proposalId = '' } = at.params
  const rows = data.items.map((item) => [
    inline(item.voter),
    choicesText(item.options),
    amountText(item.votingPower, at),
    inlineOr(item.time, UNKNOWN),
    item.height === null ? UNKNOWN : `${item.height}`,
    inlineOr(item.txHash, ''),
  ])
  const head = ['voter', 'vote', 'voting power', 'time', 'height', 'transaction']
  return blocks(
    `# Ballots on proposal ${inline(proposalId)}`,
    'Filters: `voter`, `option`, `delegatedTo` (the operator address of a validator) and `sort=power` in the query.',
    tableOrNone(head, rows),
    ...listFooter(data, at),
  )
}

export const poolsMarkdown = (data: PageData['pools'], at: PageContext): string => {
  const rows = data.items.map((pool) => [
    poolLink(pool, at),
    inline(pool.operatorAddress),
    poolState(pool),
    amountText(pool.bondedTokens, at),
    `${pool.proposalsVoted}`,
    `${pool.proposalsMissed}`,
  ])
  const head = ['validator', 'operator address', 'status', 'stake', 'voted on', 'missed']
  return blocks(
    '# Validators',
    'Largest stake first. A validator (pool) votes with all stake delegated to it, ' +
      'except the stake of delegators who vote themselves.',
    quotedNote('Names of validators'),
    tableOrNone(head, rows),
    ...listFooter(data, at),
  )
}

export const poolMarkdown = (data: PageData['pool'], at: PageContext): string => {
  const { proposalsVoted, proposalsMissed } = data.participation
  const { operatorAddress = '' } = at.params
  const [latest] = data.items
  const rows = data.items.map((item) => [
    proposalLink(item, at),
    statusText(item.status),
    item.vote ? choicesText(item.vote.options) : item.missed ? 'missed' : 'did not vote',
    amountText(item.votingPower, at),
    item.delegators === null ? UNKNOWN : `${item.delegators.ballots}`,
  ])
  const head = ['proposal', 'status', 'validator vote', 'voting power', 'delegator votes']
  return blocks(
    `# Validator ${inlineOr(latest?.pool.moniker, inline(operatorAddress))}`,
    list(
      `Operator address: ${inline(operatorAddress)}`,
      latest ? `Status at the latest vote: ${poolState(latest.pool)}` : null,
      `Voted on ${pluralize(proposalsVoted, 'proposal')}, missed ${proposalsMissed}`,
    ),
    quotedNote('The name of the validator (pool) and titles'),
    '## Votes, newest proposal first',
    tableOrNone(head, rows),
    ...listFooter(data, at),
  )
}

export const votersMarkdown = (data: PageData['voters'], at: PageContext): string => {
  const { address, problem, prefixes } = data
  const example = prefixes?.account == null ? '' : ` such as ${prefixes.account}1…`
  return blocks(
    '# Look up a voter',
    problem === null ? null : `${inline(address)} is not a valid address: it ${inline(problem)}.`,
    `\`GET ${at.baseUrl}/voters/{address}\` has every ballot of one account. The address is${example} or 0x….`,
    pageLinks(at),
  )
}

export const blocksMarkdown = (data: PageData['blocks'], at: PageContext): string =>
  blocks(
    '# Blocks for proofs',
    'A proof can start from each of these blocks. Take its hash from a source that you trust, not from Rollcall.',
    tableOrNone(
      ['block', 'time'],
      data.items.map(({ height, time }) => [`${height}`, inlineOr(time, UNKNOWN)]),
    ),
    ...listFooter(data, at),
  )

export const voterMarkdown = (data: PageData['voter'], at: PageContext): string => {
  const rows = data.items.map((item) => [
    proposalLink(item, at),
    statusText(item.status),
    choicesText(item.options),
    amountText(item.votingPower, at),
    inlineOr(item.time, UNKNOWN),
  ])
  return blocks(
    `# Voter ${inline(at.params['address'] ?? '')}`,
    quotedNote('Titles'),
    '## Ballots, newest proposal first',
    tableOrNone(['proposal', 'status', 'vote', 'voting power', 'time'], rows),
    ...listFooter(data, at),
  )
}
