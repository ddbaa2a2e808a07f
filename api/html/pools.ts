// The page with all validators, and the page of one validator with its votes and its participation.
import { type Html, html } from '../../infra/html/html.ts'
import { pluralize } from '../in-words.ts'
import { plainLine } from '../markdown/text.ts'
import type { PageContext, PageData } from '../resources/page-data.ts'
import type { Pool } from '../schemas/pool.ts'
import { fact } from './elements.ts'
import { listLayout } from './layout.ts'
import {
  amount,
  amountColumnName,
  choices,
  code,
  link,
  paging,
  poolPath,
  recordedProposal,
  statusTag,
  UNKNOWN,
  untrustedText,
} from './parts.ts'
import { recordStrip } from './record-strip.ts'
import { recordTable } from './record-table.ts'
import { poolData } from './structured-data.ts'

const poolState = ({ status, jailed }: { status: string; jailed: boolean }): Html =>
  html`${untrustedText(status.replaceAll('_', ' '))}${jailed && html`, <strong>jailed</strong>`}`

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
  participationText(pool),
]

const POOLS_CAPTION =
  'By bonded tokens. Participation: proposals that the validator voted on, ' +
  'out of those it voted on or missed.'

const WHAT_A_POOL_IS = html`<p>A validator (pool) votes with all stake delegated to it, \
except the stake of delegators who vote themselves.</p>`

export const poolsHtml = (data: PageData['pools'], at: PageContext): string => {
  const { items, page } = data
  const table = recordTable({
    label: 'Validators',
    caption: POOLS_CAPTION,
    columns: [
      { name: 'Validator' },
      { name: 'Status' },
      { name: amountColumnName('Bonded tokens', at), isNumber: true },
      { name: 'Participation', isNumber: true },
    ],
    rows: items.map((pool) => poolRow(pool, at)),
  })
  return listLayout(
    {
      title: 'Validators',
      description: `The validators of the chain by bonded tokens (${page.totalItems}), \
and how many proposals each of them voted on or missed.`,
      path: '/pools',
      main: html`<h1>Validators</h1>
${WHAT_A_POOL_IS}
${items.length === 0 ? html`<p>No validators on this page.</p>` : table}
${paging(data, { itemNames: ['validator', 'validators'], at })}`,
    },
    data,
    at,
  )
}

type Item = PageData['pool']['items'][number]

const recordRow = (item: Item, at: PageContext): Html[] => [
  recordedProposal(item, at),
  statusTag(item.status),
  item.vote ? choices(item.vote.options) : html`<span class="soft">Did not vote</span>`,
  amount(item.votingPower, at),
  item.delegators === null ? UNKNOWN : html`${item.delegators.ballots}`,
]

const RECORD_CAPTION =
  'Newest proposal first. Voting power excludes the stake of delegators who voted themselves.'

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
      : `${proposalsMissed} missed: in the tally, but without a vote.`
  return html`Voted on <strong>${participationText(participation)}</strong> \
${proposalsVoted + proposalsMissed === 1 ? 'proposal' : 'proposals'}. ${missed}`
}

const poolFacts = ({ items, participation }: PageData['pool'], operatorAddress: string): Html => {
  const [latest] = items
  return html`<dl class="facts">
${fact('Operator address', code(operatorAddress))}
${latest && fact('Status at the latest vote', poolState(latest.pool))}
${fact('Participation', participationInWords(participation))}
</dl>`
}

export const poolHtml = (data: PageData['pool'], at: PageContext): string => {
  const { operatorAddress = '' } = at.params
  const { proposalsVoted, proposalsMissed } = data.participation
  const moniker = plainLine(data.items[0]?.pool.moniker ?? '')
  const name = moniker || operatorAddress
  return listLayout(
    {
      title: name,
      description: `Votes of the validator ${name}: \
${pluralize(proposalsVoted, 'proposal')} voted on, ${proposalsMissed} missed. Each vote with its voting power.`,
      path: poolPath(operatorAddress),
      data: poolData(name, operatorAddress, at),
      main: html`<p class="above">${link('/pools', 'Validators', at)}</p>
<h1>${untrustedText(moniker, html`Validator ${operatorAddress}`)}</h1>
${poolFacts(data, operatorAddress)}
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
