// The list pages as Markdown: home, proposals, validators, votes of a validator, ballots of a voter.

import { percent } from '../display-unit.ts'
import type { PageContext } from '../document/context.ts'
import {
  asOfLine,
  listFooter,
  outcomeText,
  pageLinks,
  poolLink,
  proposalLink,
  quotedNote,
} from '../document/markdown/inline.ts'
import { blocks, inline, inlineOr, link, list, table } from '../document/markdown/text.ts'
import { firstCommand, NO_TOKEN, PROGRAM_LINKS } from '../for-programs.ts'
import { type PoolStanding, PURPOSE, poolStateInWords } from '../in-words.ts'
import type { PageData } from '../resources/page-data.ts'
import type { ProposalSummary } from '../schemas/proposal.ts'

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

const _poolState = (pool: PoolStanding): string => inline(poolStateInWords(pool))

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
