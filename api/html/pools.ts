// The list of pools, and one pool: what it voted on, what it missed, and how it voted each time.
import { type Html, html } from '../../infra/html/html.ts'
import { plainLine } from '../markdown/text.ts'
import type { PageAt, PageData } from '../resources/page-data.ts'
import type { Pool } from '../schemas/pool.ts'
import { fact } from './elements.ts'
import { layout } from './layout.ts'
import {
  amount,
  choices,
  code,
  link,
  paging,
  poolPath,
  recordedProposal,
  said,
  statusTag,
  UNKNOWN,
} from './parts.ts'
import { recordStrip } from './record-strip.ts'
import { recordTable } from './record-table.ts'
import { poolData } from './structured-data.ts'

/** `Page 2`, where it is not the first. */
export const pageOf = ({ number }: { number: number | null }): string =>
  number === null || number === 0 ? '' : `, page ${number + 1}`

export const queryOf = ({ number }: { number: number | null }): string =>
  number === null || number === 0 ? '' : `?page=${number}`

const stateOf = ({ status, jailed }: { status: string; jailed: boolean }): Html =>
  html`${said(status.replaceAll('_', ' '))}${jailed && html`, <strong>jailed</strong>`}`

type Counts = Pick<Pool, 'proposalsVoted' | 'proposalsMissed'>

const participationOf = ({ proposalsVoted, proposalsMissed }: Counts): Html => {
  const all = proposalsVoted + proposalsMissed
  return all === 0 ? html`<span class="soft">none yet</span>` : html`${proposalsVoted} of ${all}`
}

const poolRow = (pool: Pool, at: PageAt): Html[] => [
  link(poolPath(pool.operatorAddress), said(pool.moniker, html`${pool.operatorAddress}`), at),
  stateOf(pool),
  amount(pool.bondedTokens, at),
  participationOf(pool),
]

/** In which amounts of a column are; their unit stands beside each of them where the chain has a display unit. */
export const inUnits = (name: string, { unit }: PageAt): string =>
  unit ? name : `${name}, base units`

const POOLS_CAPTION =
  "Most tokens first. A pool's votes are counted out of the proposals " +
  'that it voted on itself or whose tally it was in.'

const WHAT_A_POOL_IS = html`<p>A pool is a validator with the stake delegated to it. \
It votes with all of that stake, but for what delegators vote themselves.</p>`

export const poolsHtml = (data: PageData['pools'], at: PageAt): string => {
  const { items, page } = data
  const table = recordTable({
    label: 'Pools',
    caption: POOLS_CAPTION,
    columns: [
      { name: 'Pool' },
      { name: 'State' },
      { name: inUnits('Tokens', at), isNumber: true },
      { name: 'Voted on', isNumber: true },
    ],
    rows: items.map((pool) => poolRow(pool, at)),
  })
  return layout(
    {
      title: `Pools${pageOf(page)}`,
      description: `The ${page.totalItems} pools of the chain, most tokens first, \
and how many proposals each of them voted on or missed.`,
      path: `/pools${queryOf(page)}`,
      json: data.links.self.slice(at.baseUrl.length),
      asOf: data.asOf,
      main: html`<h1>Pools</h1>
${WHAT_A_POOL_IS}
${items.length === 0 ? html`<p>There is no pool on this page.</p>` : table}
${paging(data, { what: 'pools', at })}`,
    },
    at,
  )
}

type Item = PageData['pool']['items'][number]

const recordRow = (item: Item, at: PageAt): Html[] => [
  recordedProposal(item, at),
  statusTag(item.status),
  item.vote ? choices(item.vote.options) : html`<span class="soft">not itself</span>`,
  amount(item.votingPower, at),
  item.delegators === null ? UNKNOWN : html`${item.delegators.ballots}`,
]

const RECORD_CAPTION =
  "Newest proposal first. The power is what the pool's own vote carries: " +
  'what its delegators voted themselves is deducted.'

const tableOf = (data: PageData['pool'], at: PageAt): Html =>
  data.items.length === 0
    ? html`<p>There is no vote of this pool or its delegators on this page.</p>`
    : recordTable({
        label: 'Votes',
        caption: RECORD_CAPTION,
        columns: [
          { name: 'Proposal' },
          { name: 'State' },
          { name: 'Vote' },
          { name: inUnits('Its power', at), isNumber: true },
          { name: 'Delegators who voted', isNumber: true },
        ],
        rows: data.items.map((item) => recordRow(item, at)),
      })

const participationInWords = (participation: Counts): Html => {
  const { proposalsVoted, proposalsMissed } = participation
  if (proposalsVoted + proposalsMissed === 0)
    return html`<span class="soft">It was in no tally yet, and has not voted.</span>`
  const missed =
    proposalsMissed === 0
      ? 'It missed none.'
      : `It missed ${proposalsMissed}: it was in the tally and did not vote itself.`
  return html`Voted on <strong>${participationOf(participation)}</strong> proposals. ${missed}`
}

const factsOf = ({ items, participation }: PageData['pool'], operatorAddress: string): Html => {
  const [latest] = items
  return html`<dl class="facts">
${fact('Operator address', code(operatorAddress))}
${latest && fact('State at its latest vote', stateOf(latest.pool))}
${fact('Participation', participationInWords(participation))}
</dl>`
}

export const poolHtml = (data: PageData['pool'], at: PageAt): string => {
  const { operatorAddress = '' } = at.params
  const { proposalsVoted, proposalsMissed } = data.participation
  const moniker = plainLine(data.items[0]?.pool.moniker ?? '')
  const name = moniker || operatorAddress
  return layout(
    {
      title: `${name}${pageOf(data.page)}`,
      description: `How the pool ${name} voted: on ${proposalsVoted} proposals itself, \
${proposalsMissed} missed. Each vote with the power behind it.`,
      path: `${poolPath(operatorAddress)}${queryOf(data.page)}`,
      json: data.links.self.slice(at.baseUrl.length),
      data: poolData(name, operatorAddress, at),
      asOf: data.asOf,
      main: html`<p class="above">${link('/pools', 'Pools', at)}</p>
<h1>${said(moniker, html`Pool ${operatorAddress}`)}</h1>
${factsOf(data, operatorAddress)}
<h2>Its votes</h2>
${recordStrip(data.items)}
${tableOf(data, at)}
${paging(data, { what: 'votes', at })}`,
    },
    at,
  )
}
