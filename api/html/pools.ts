// The page with all validators, and the page of one validator with its votes and its participation.
import { type Html, html } from '../../infra/base/html/html.ts'
import { validatorName } from '../headline.ts'
import { type PoolStanding, pluralize, poolStateInWords } from '../in-words.ts'
import { isOpen } from '../proposal-status.ts'
import type { PageContext, PageData } from '../resources/page-data.ts'
import type { Pool } from '../schemas/pool.ts'
import { fact, field } from './elements.ts'
import { listLayout } from './layout.ts'
import {
  amount,
  amountColumnName,
  choices,
  code,
  encodePathSegment,
  link,
  occurrence,
  paging,
  poolPath,
  recordedProposal,
  share,
  statusTag,
  toHref,
  UNKNOWN,
  untrustedText,
  voterPath,
} from './parts.ts'
import { recordStrip } from './record-strip.ts'
import { recordTable } from './record-table.ts'
import { poolData } from './structured-data.ts'

const poolState = (pool: PoolStanding): Html => untrustedText(poolStateInWords(pool))

type Counts = Pick<Pool, 'proposalsVoted' | 'proposalsMissed'>

const participationText = ({ proposalsVoted, proposalsMissed }: Counts): Html => {
  const all = proposalsVoted + proposalsMissed
  return all === 0 ? html`<span class="soft">none yet</span>` : html`${proposalsVoted} of ${all}`
}

const poolRow = (pool: Pool, at: PageContext): Html[] => [
  link(
    poolPath(pool.operatorAddress),
    untrustedText(pool.moniker, html`${pool.operatorAddress}`),
    at,
  ),
  poolState(pool),
  amount(pool.bondedTokens, at),
  share(pool.powerShare),
  participationText(pool),
  html`${pool.proposalsMissed}`,
]

const POOLS_CAPTION =
  'Participation: 16 of 17 means that the validator voted on 16 ' +
  'of the 17 proposals it could vote on.'

const WHAT_A_POOL_IS = html`<p>A validator votes with all stake delegated to it, \
except the stake of delegators who vote themselves.</p>`

type Filters = { q: string; sort: string }

const parseFilters = ({ links }: PageData['pools']): Filters => {
  const query = new URLSearchParams(links.self.split('?', 2)[1] ?? '')
  return { q: query.get('q') ?? '', sort: query.get('sort') ?? '' }
}

const ORDERS = [
  ['', 'Stake'],
  ['participation', 'Participation'],
  ['missed', 'Missed votes'],
] as const

const filterForm = ({ q, sort }: Filters, at: PageContext): Html => {
  const action = toHref('/pools', at)
  const input = html`<input id="filter-q" type="search" name="q" value="${q}" maxlength="200" \
autocapitalize="none" autocomplete="off" spellcheck="false">`
  const options = ORDERS.map(
    ([value, label]) =>
      html`<option value="${value}"${value === sort && html` selected`}>${label}</option>`,
  )
  return html`<form class="filters" action="${action}" method="get" aria-label="Find validators">
${field('filter-q', 'Name or address', input)}
${field('filter-sort', 'Sort by', html`<select id="filter-sort" name="sort">${options}</select>`)}
<p class="buttons"><button type="submit">Find</button> <a href="${action}">Reset</a></p>
</form>`
}

const toPath = ({ q, sort }: Filters): string => {
  const given = Object.entries({ q, sort }).filter(([, value]) => value !== '')
  return given.length === 0 ? '/pools' : `/pools?${new URLSearchParams(given)}`
}

export const poolsHtml = (data: PageData['pools'], at: PageContext): string => {
  const { items, page } = data
  const filters = parseFilters(data)
  const isUnmatched = page.totalItems === 0 && filters.q !== ''
  const none = html`<p>No validators ${isUnmatched ? 'match' : 'on this page'}.</p>`
  const table = recordTable({
    label: 'Validators',
    caption: POOLS_CAPTION,
    columns: [
      { name: 'Validator' },
      { name: 'Status' },
      { name: amountColumnName('Stake', at), isNumber: true },
      { name: 'Share of the power', isNumber: true },
      { name: 'Participation', isNumber: true },
      { name: 'Missed', isNumber: true },
    ],
    rows: items.map((pool) => poolRow(pool, at)),
  })
  return listLayout(
    {
      title: 'Validators',
      description: `The ${page.totalItems} validators of the chain, largest stake first, \
and how many proposals each of them voted on or missed.`,
      path: toPath(filters),
      main: html`<h1>Validators</h1>
${WHAT_A_POOL_IS}
${filterForm(filters, at)}
${items.length === 0 ? none : table}
${paging(data, { itemNames: ['validator', 'validators'], at })}`,
    },
    data,
    at,
  )
}

type Item = PageData['pool']['items'][number]

const ownVote = ({ vote, missed, status }: Item): Html => {
  if (vote) return choices(vote.options)
  if (missed) return html`<strong>Missed</strong>`
  return html`<span class="soft">${isOpen({ status }) ? 'Not voted yet' : 'Did not vote'}</span>`
}

const recordRow = (item: Item, at: PageContext): Html[] => [
  recordedProposal(item, at),
  statusTag(item.status),
  ownVote(item),
  amount(item.votingPower, at),
  item.vote ? occurrence(item.vote, at) : html`–`,
  item.delegators === null ? UNKNOWN : html`${item.delegators.ballots}`,
]

const RECORD_CAPTION =
  'Newest proposal first. Voting power excludes the stake of delegators who voted themselves. ' +
  'Missed: the validator was counted in the final tally, and did not vote.'

const poolVotesTable = (data: PageData['pool'], at: PageContext): Html =>
  data.items.length === 0
    ? html`<p>No votes of this validator or its delegators on this page.</p>`
    : recordTable({
        label: 'Votes',
        caption: RECORD_CAPTION,
        columns: [
          { name: 'Proposal' },
          { name: 'Status' },
          { name: 'Validator vote' },
          { name: amountColumnName('Voting power', at), isNumber: true },
          { name: 'Time and transaction' },
          { name: 'Delegator votes', isNumber: true },
        ],
        rows: data.items.map((item) => recordRow(item, at)),
      })

const participationInWords = (participation: Counts): Html => {
  const { proposalsVoted, proposalsMissed } = participation
  if (proposalsVoted + proposalsMissed === 0)
    return html`<span class="soft">No votes cast or missed yet.</span>`
  const missed =
    proposalsMissed === 0
      ? 'None missed.'
      : `${proposalsMissed} missed: counted in the final tally, but without a vote.`
  return html`Voted on <strong>${participationText(participation)}</strong> \
${proposalsVoted + proposalsMissed === 1 ? 'proposal' : 'proposals'}. ${missed}`
}

const feedPath = (operatorAddress: string): string =>
  `/feed.atom?validator=${encodePathSegment(operatorAddress)}`

const poolFacts = (
  { items, participation, accountAddress }: PageData['pool'],
  operatorAddress: string,
  at: PageContext,
): Html => {
  const [latest] = items
  return html`<dl class="facts">
${fact('Operator address', code(operatorAddress))}
${accountAddress !== null && fact('Votes with the account', link(voterPath(accountAddress), code(accountAddress), at))}
${latest && fact('Status at the latest vote', poolState(latest.pool))}
${fact('Participation', participationInWords(participation))}
${fact('Follow', link(feedPath(operatorAddress), 'Feed of its votes (Atom)', at))}
</dl>`
}

export const poolHtml = (data: PageData['pool'], at: PageContext): string => {
  const { operatorAddress = '' } = at.params
  const { proposalsVoted, proposalsMissed } = data.participation
  const moniker = data.items[0]?.pool.moniker ?? ''
  const name = validatorName(moniker, operatorAddress)
  return listLayout(
    {
      title: name,
      description: `${name}: \
${pluralize(proposalsVoted, 'proposal')} voted on, ${proposalsMissed} missed. Each vote with its voting power.`,
      path: poolPath(operatorAddress),
      feed: { path: feedPath(operatorAddress), title: `Votes of ${name}` },
      data: poolData(name, operatorAddress, at),
      main: html`<p class="above">${link('/pools', 'Validators', at)}</p>
<h1>${untrustedText(moniker, html`Validator ${operatorAddress}`)}</h1>
${poolFacts(data, operatorAddress, at)}
${WHAT_A_POOL_IS}
<h2>Votes</h2>
${recordStrip(data.items)}
${poolVotesTable(data, at)}
${paging(data, { itemNames: ['vote', 'votes'], at })}`,
    },
    data,
    at,
  )
}
