// The deposits on a proposal: how far they are from the minimum that starts the vote, and who deposited.
import { type Html, html } from '../../infra/html/html.ts'
import { counted } from '../markdown/parts.ts'
import type { PageAt, PageData } from '../resources/page-data.ts'
import type { Coin } from '../schemas/common.ts'
import type { Deposit } from '../schemas/deposit.ts'
import { bar } from './bar.ts'
import { folded, section } from './elements.ts'
import { coin, inPath, link, moment, said, share, to, UNKNOWN, voterPath } from './parts.ts'
import { recordTable } from './record-table.ts'
import { part } from './shares.ts'
import { endsIn } from './time-left.ts'

type Detail = PageData['proposal']
type Denom = { denom: string; deposited: bigint; minimum: bigint }

const coinsIn = (coins: readonly Coin[], at: PageAt): Html =>
  coins.length === 0
    ? html`nothing`
    : html`${coins.map((each, n) => html`${n > 0 ? ', ' : ''}${coin(each, at)}`)}`

/** Those of the minimum: a deposit in any other denom does not count towards it. */
const denomsOf = (total: readonly Coin[], minimum: readonly Coin[]): Denom[] =>
  minimum.map(({ denom, amount }) => ({
    denom,
    deposited: BigInt(total.find((each) => each.denom === denom)?.amount ?? '0'),
    minimum: BigInt(amount),
  }))

const denomBox = ({ denom, deposited, minimum }: Denom, at: PageAt): Html => {
  const towards = deposited < minimum ? deposited : minimum
  const missing = { denom, amount: `${minimum - towards}` }
  const state =
    towards === minimum
      ? html`<strong>reached</strong>`
      : html`<strong>${coin(missing, at)} missing</strong>`
  return html`<div class="rule">\
<p><span>${coin({ denom, amount: `${deposited}` }, at)} deposited</span> \
<strong>${share(part(towards, minimum))}</strong></p>\
${bar([{ look: 'yes', some: towards }], { whole: minimum })}\
<p class="small soft">minimum: ${coin({ denom, amount: `${minimum}` }, at)} · ${state}</p></div>`
}

const minimumOf = (proposal: Detail, at: PageAt): Html => {
  const { totalDeposit, depositRequirement: required } = proposal
  const { minimum, expeditedMinimum, reason } = required
  const applies = proposal.expedited ? expeditedMinimum : minimum
  if (applies === null) {
    return html`<p>Deposited: ${coinsIn(totalDeposit, at)}. \
The minimum is not known: ${said(reason)}.</p>`
  }
  const boxes = denomsOf(totalDeposit, applies).map((each) => denomBox(each, at))
  const regular =
    expeditedMinimum !== null &&
    minimum !== null &&
    html`<p class="small soft">This is the minimum of an expedited vote. \
A regular vote starts with ${coinsIn(minimum, at)}.</p>`
  return html`<div class="rules">${boxes}</div>${regular}`
}

const depositRow = (deposit: Deposit, at: PageAt): Html[] => {
  const { depositor, depositorReason, amount, time, height, txHash } = deposit
  const unknown = html`${UNKNOWN} <span class="soft small">${said(depositorReason, html``)}</span>`
  return [
    depositor === null ? unknown : link(voterPath(depositor), html`<code>${depositor}</code>`, at),
    coinsIn(amount, at),
    moment(time),
    html`${height}`,
    html`<code class="code" dir="ltr">${txHash ?? 'none'}</code>`,
  ]
}

const COLUMNS = [
  { name: 'Depositor' },
  { name: 'Amount', isNumber: true },
  { name: 'Time' },
  { name: 'Height', isNumber: true },
  { name: 'Transaction' },
]

const listOf = ({ proposalId, deposits }: Detail, at: PageAt): Html => {
  const { items, page } = deposits
  const api = to(`/api/proposals/${inPath(proposalId)}/deposits`, at)
  const others = page.totalItems - items.length
  const more = others > 0 && html`${others} more are in the list. `
  const table = recordTable({
    label: 'Depositors',
    caption: 'In the order of the log, the deposit of the submission first.',
    columns: COLUMNS,
    rows: items.map((item) => depositRow(item, at)),
  })
  return html`${items.length > 0 && table}
<p class="small">${more}<a href="${api}">All deposits as JSON</a></p>`
}

const countOf = ({ deposits: { page } }: Detail): string => counted(page.totalItems, 'deposit')

const NONE = html`<p>The log has no deposit on it: none was made since the first indexed height.</p>`

const depositPeriod = (proposal: Detail, at: PageAt): Html => html`
<p>The vote starts when the minimum is deposited. \
The deposit period ends ${endsIn(proposal.depositEndTime, proposal.asOf.time)}, \
at ${moment(proposal.depositEndTime)}.</p>
${minimumOf(proposal, at)}
${proposal.deposits.page.totalItems === 0 && NONE}
${listOf(proposal, at)}`

const afterwards = (proposal: Detail, at: PageAt): Html => html`
<p>${countOf(proposal)}, together ${coinsIn(proposal.totalDeposit, at)}.</p>
${proposal.deposits.page.totalItems === 0 && NONE}
${folded('deposits-list', 'Who deposited', listOf(proposal, at))}`

const isInDepositPeriod = ({ status }: Detail): boolean => status === 'deposit_period'

const sectionOf = (proposal: Detail, content: Html): Html => {
  const isLive = proposal.closedTime === null
  return section({ id: 'deposits', title: 'Deposits', isLive }, content)
}

/** In the deposit period, where it is what visitors come for; else nothing. */
export const depositPeriodSection = (proposal: Detail, at: PageAt): Html =>
  isInDepositPeriod(proposal) ? sectionOf(proposal, depositPeriod(proposal, at)) : html``

/** After the deposit period; before that it is nothing. */
export const depositsSection = (proposal: Detail, at: PageAt): Html =>
  isInDepositPeriod(proposal) ? html`` : sectionOf(proposal, afterwards(proposal, at))
