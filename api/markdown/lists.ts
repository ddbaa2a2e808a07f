// The pages that are lists as Markdown: the front page, proposals, one pool's votes, one voter's ballots.
import type { PageAt, PageData } from '../resources/page-data.ts'
import type { ProposalSummary } from '../schemas/proposal.ts'
import {
  asOfLine,
  choicesOf,
  formsOf,
  outcomeOf,
  pageLinks,
  pagesLine,
  percent,
  proposalLink,
  quotedNote,
  statusOf,
  UNKNOWN,
} from './parts.ts'
import { blocks, inline, inlineOr, link, list, table } from './text.ts'

const proposalRow = (proposal: ProposalSummary, at: PageAt): string[] => [
  proposalLink(proposal, at),
  outcomeOf(proposal),
  inlineOr(proposal.votingEndTime, ''),
  proposal.tally ? percent(proposal.tally.turnout) : '',
]

const proposalTable = (items: readonly ProposalSummary[], at: PageAt): string =>
  items.length === 0
    ? 'None.'
    : table(
        ['proposal', 'status', 'voting ends', 'turnout'],
        items.map((proposal) => proposalRow(proposal, at)),
      )

const MACHINES = ({ baseUrl }: PageAt): string => {
  const openApi = link('OpenAPI description', `${baseUrl}/openapi.json`)
  const first = link('/api/proposals', `${baseUrl}/api/proposals`)
  return list(
    `${openApi} of the read API; it starts at ${first}. No token is needed`,
    `${link('MCP', `${baseUrl}/mcp`)}: the same answers as tools, over streamable HTTP`,
    `${link('llms.txt', `${baseUrl}/llms.txt`)}: everything there is, for language models`,
    `${link('auth.md', `${baseUrl}/auth.md`)}: how an agent gets a token, if it wants to be known`,
    `${link('Stream', `${baseUrl}/api/stream`)} of changes as server-sent events`,
  )
}

const ABOUT =
  'A complete, exact and replayable record of on-chain governance, served as an open read API: ' +
  'the proposals of one chain, the votes on them pool by pool ' +
  '(a pool is a validator with the stake delegated to it), and how each tally came about. ' +
  'It reads; it never votes.'

const MARKDOWN_PAGES =
  'Every page here answers `Accept: text/markdown`: /proposals, /proposals/{proposalId}, ' +
  '/pools, /pools/{operatorAddress}, /voters/{address}, /status.'

export const homeMarkdown = (data: PageData['home'], at: PageAt): string =>
  blocks(
    '# Rollcall',
    ABOUT,
    '## Newest proposals',
    data ? quotedNote('Titles') : null,
    data ? proposalTable(data.items, at) : 'Nothing can be read at the moment.',
    data ? link(`All ${data.page.totalItems} proposals`, `${at.baseUrl}/proposals`) : null,
    '## For machines',
    MACHINES(at),
    MARKDOWN_PAGES,
    data ? asOfLine(data.asOf) : null,
    link('Status', `${at.baseUrl}/status`),
  )

export const proposalsMarkdown = (data: PageData['proposals'], at: PageAt): string =>
  blocks(
    '# Proposals',
    'Newest first. `status`, `proposer` and `q` in the address filter them.',
    quotedNote('Titles'),
    proposalTable(data.items, at),
    pagesLine(data, at),
    formsOf(data.links.self),
    asOfLine(data.asOf),
    pageLinks(at),
  )

export const poolsMarkdown = (data: PageData['pools'], at: PageAt): string => {
  const rows = data.items.map((pool) => [
    link(pool.moniker || pool.operatorAddress, `${at.baseUrl}/pools/${pool.operatorAddress}`),
    inline(pool.operatorAddress),
    `${statusOf(pool.status)}${pool.jailed ? ', jailed' : ''}`,
    inline(pool.bondedTokens),
    `${pool.proposalsVoted}`,
    `${pool.proposalsMissed}`,
  ])
  const head = ['pool', 'operator address', 'state', 'tokens', 'voted on', 'missed']
  return blocks(
    '# Pools',
    'Most tokens first. A pool is a validator with the stake delegated to it.',
    quotedNote('Names of pools'),
    rows.length === 0 ? 'None.' : table(head, rows),
    pagesLine(data, at),
    formsOf(data.links.self),
    asOfLine(data.asOf),
    pageLinks(at),
  )
}

export const poolMarkdown = (data: PageData['pool'], at: PageAt): string => {
  const { operatorAddress = '' } = at.params
  const [latest] = data.items
  const rows = data.items.map((item) => [
    proposalLink(item, at),
    statusOf(item.status),
    item.vote ? choicesOf(item.vote.options) : '(did not vote)',
    inlineOr(item.votingPower, UNKNOWN),
    item.delegators === null ? UNKNOWN : `${item.delegators.ballots}`,
  ])
  const head = ['proposal', 'status', 'vote', 'its voting power', 'delegators who voted']
  return blocks(
    `# Pool ${inlineOr(latest?.pool.moniker, inline(operatorAddress))}`,
    list(
      `Operator address: ${inline(operatorAddress)}`,
      latest
        ? `State at its latest vote: ${statusOf(latest.pool.status)}${latest.pool.jailed ? ', jailed' : ''}`
        : null,
      `Voted on ${data.participation.proposalsVoted} proposals itself, missed ${data.participation.proposalsMissed}`,
    ),
    quotedNote('The name of the pool and titles'),
    '## Votes, newest proposal first',
    rows.length === 0 ? 'None.' : table(head, rows),
    pagesLine(data, at),
    formsOf(data.links.self),
    asOfLine(data.asOf),
    pageLinks(at),
  )
}

export const votersMarkdown = ({ address, problem }: PageData['voters'], at: PageAt): string =>
  blocks(
    '# Look up a voter',
    problem === null ? null : `${inline(address)} is no address: it ${inline(problem)}.`,
    `\`GET ${at.baseUrl}/voters/{address}\` gives every ballot of one account; the address is bech32, in lower case.`,
    pageLinks(at),
  )

export const voterMarkdown = (data: PageData['voter'], at: PageAt): string => {
  const rows = data.items.map((item) => [
    proposalLink(item, at),
    statusOf(item.status),
    choicesOf(item.options),
    inlineOr(item.votingPower, UNKNOWN),
    inlineOr(item.time, UNKNOWN),
  ])
  return blocks(
    `# Voter ${inline(at.params['address'] ?? '')}`,
    quotedNote('Titles'),
    '## Ballots, newest proposal first',
    rows.length === 0
      ? 'None.'
      : table(['proposal', 'status', 'ballot', 'voting power', 'cast'], rows),
    pagesLine(data, at),
    formsOf(data.links.self),
    asOfLine(data.asOf),
    pageLinks(at),
  )
}
