// The list pages as Markdown: home, proposals, validators, votes of a validator, ballots of a voter.
import { pluralize } from '../in-words.ts'
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

const poolState = ({ status, jailed }: { status: string; jailed: boolean }): string =>
  `${statusText(status)}${jailed ? ', jailed' : ''}`

const programLinks = ({ baseUrl }: PageContext): string => {
  const openApi = link('OpenAPI description', `${baseUrl}/openapi.json`)
  const first = link('/api/proposals', `${baseUrl}/api/proposals`)
  return list(
    `${openApi} of the read API; start at ${first}. No token is required`,
    `${link('MCP', `${baseUrl}/mcp`)}: the same data as tools, over streamable HTTP`,
    `${link('llms.txt', `${baseUrl}/llms.txt`)}: an overview for language models`,
    `${link('auth.md', `${baseUrl}/auth.md`)}: how an agent gets a token (optional)`,
    `${link('Stream', `${baseUrl}/api/stream`)} of changes as server-sent events`,
  )
}

const ABOUT =
  'A complete, exact and replayable record of on-chain governance, served as an open read API: ' +
  'the proposals of one chain, the votes on them by validator (pool), and the evidence of each tally. ' +
  'It never votes and never moves funds.'

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
    '## For programs',
    programLinks(at),
    MARKDOWN_PAGES,
    data ? asOfLine(data.asOf, at) : null,
    link('Status', `${at.baseUrl}/status`),
  )

export const proposalsMarkdown = (data: PageData['proposals'], at: PageContext): string =>
  blocks(
    '# Proposals',
    'Newest first. Filters: `status`, `proposer`, `messageType` and `q` in the query.',
    quotedNote('Titles'),
    proposalTable(data.items, at),
    ...listFooter(data, at),
  )

export const poolsMarkdown = (data: PageData['pools'], at: PageContext): string => {
  const rows = data.items.map((pool) => [
    poolLink(pool, at),
    inline(pool.operatorAddress),
    poolState(pool),
    amountText(pool.bondedTokens, at),
    `${pool.proposalsVoted}`,
    `${pool.proposalsMissed}`,
  ])
  const head = ['validator', 'operator address', 'status', 'bonded tokens', 'voted on', 'missed']
  return blocks(
    '# Validators',
    'By bonded tokens. A validator (pool) votes with all stake delegated to it, ' +
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
    item.vote ? choicesText(item.vote.options) : 'did not vote',
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

export const votersMarkdown = ({ address, problem }: PageData['voters'], at: PageContext): string =>
  blocks(
    '# Look up a voter',
    problem === null ? null : `${inline(address)} is not a valid address: it ${inline(problem)}.`,
    `\`GET ${at.baseUrl}/voters/{address}\` has every ballot of one account. The address is bech32 or 0x….`,
    pageLinks(at),
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
