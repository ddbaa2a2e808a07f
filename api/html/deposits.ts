// The deposits section of a proposal: progress towards the minimum deposit, and the list of deposits.

import { type Html, html } from '../../infra/base/html/html.ts'
import type { Coin } from '../../ingest/contract/facts.ts'
import type { PageContext } from '../document/context.ts'
import { folded, section } from '../document/html/elements.ts'
import {
  code,
  coin,
  coinList,
  csvLink,
  explorerLink,
  link,
  reasonText,
  share,
  timestamp,
  toHref,
  UNKNOWN,
} from '../document/html/inline.ts'
import { recordTable } from '../document/html/record-table.ts'
import { encodePathSegment, voterPath } from '../document/paths.ts'
import { pluralize } from '../in-words.ts'
import type { PageData } from '../resources/page-data.ts'
import type { Deposit } from '../schemas/deposit.ts'
import { part } from '../shares.ts'
import { bar } from './bar.ts'
import { endsIn } from './time-left.ts'

type Detail = PageData['proposal']
type Denom = { denom: string; deposited: bigint; minimum: bigint }

/** Only the denoms of the minimum: other denoms do not count towards it. */
const toDenoms = (total: readonly Coin[], minimum: readonly Coin[]): Denom[] =>
  minimum.map(({ denom, amount }) => ({
    denom,
    deposited: BigInt(total.find((each) => each.denom === denom)?.amount ?? '0'),
    minimum: BigInt(amount),
  }))

const denomBox = ({ denom, deposited, minimum }: Denom, at: PageContext): Html => {
  const towards = deposited < minimum ? deposited : minimum
  const missing = { denom, amount: `${minimum - towards}` }
  const state =
    towards === minimum
      ? html`<strong>reached</strong>`
      : html`<strong>${coin(missing, at)} missing</strong>`
  return html`<div class="rule">\
<p><span>${coin({ denom, amount: `${deposited}` }, at)} deposited</span> \
<strong>${share(part(towards, minimum))}</strong></p>\
${bar([{ fill: 'yes', value: towards }], { whole: minimum })}\
<p class="small soft">minimum: ${coin({ denom, amount: `${minimum}` }, at)} · ${state}</p></div>`
}

const minimumBoxes = (proposal: Detail, at: PageContext): Html => {
  const { totalDeposit, depositRequirement: required } = proposal
  const { minimum, expeditedMinimum, reason } = required
  const applies = proposal.expedited ? expeditedMinimum : minimum
  if (applies === null) {
    return html`<p>Deposited: ${coinList(totalDeposit, at)}. \
The minimum is not known: ${reasonText(reason)}.</p>`
  }
  const boxes = toDenoms(totalDeposit, applies).map((each) => denomBox(each, at))
  const regular =
    expeditedMinimum !== null &&
    minimum !== null &&
    html`<p class="small soft">This is the minimum of an expedited vote. \
A regular vote starts with ${coinList(minimum, at)}.</p>`
  return html`<div class="rules">${boxes}</div>${regular}`
}

const depositRow = (deposit: Deposit, at: PageContext): Html[] => {
  const { depositor, depositorReason, amount, time, height, txHash } = deposit
  const unknown = html`${UNKNOWN} <span class="soft small">${reasonText(depositorReason, html``)}</span>`
  return [
    depositor === null ? unknown : link(voterPath(depositor), html`<code>${depositor}</code>`, at),
    coinList(amount, at),
    timestamp(time),
    html`${height}`,
    txHash === null ? code('none') : explorerLink({ txHash, height }, code(txHash), at),
  ]
}

const COLUMNS = [
  { name: 'Depositor' },
  { name: 'Amount', isNumber: true },
  { name: 'Time' },
  { name: 'Block', isNumber: true },
  { name: 'Transaction' },
]

const depositList = ({ proposalId, deposits }: Detail, at: PageContext): Html => {
  const { items, page } = deposits
  const api = toHref(`/api/proposals/${encodePathSegment(proposalId)}/deposits`, at)
  const csv = items.length > 0 && html` · ${csvLink(deposits.links.self, 'these deposits', at)}`
  const others = page.totalItems - items.length
  const more = others > 0 && html`${others} more are not shown. `
  const table = recordTable({
    label: 'Depositors',
    caption: 'Oldest first.',
    columns: COLUMNS,
    rows: items.map((item) => depositRow(item, at)),
  })
  return html`${items.length > 0 && table}
<p class="small">${more}<a href="${api}">All deposits as JSON</a>${csv}</p>`
}

const NONE = html`<p>No deposits since the first block that Rollcall has.</p>`

const depositPeriod = (proposal: Detail, at: PageContext): Html => html`
<p>The voting period starts when the deposits reach the minimum. \
The deposit period ends ${endsIn(proposal.depositEndTime, proposal.asOf.time, at)}, \
at ${timestamp(proposal.depositEndTime)}.</p>
${minimumBoxes(proposal, at)}
${proposal.deposits.page.totalItems === 0 && NONE}
${depositList(proposal, at)}`

const depositSummary = (proposal: Detail, at: PageContext): Html => {
  const { totalItems } = proposal.deposits.page
  const total = coinList(proposal.totalDeposit, at)
  // Earlier deposits are in the total, and their number is not known.
  if (totalItems === 0) return html`<p>Total ${total}.</p>${NONE}${depositList(proposal, at)}`
  return html`
<p>${pluralize(totalItems, 'deposit')}, total ${total}.</p>
${folded('deposits-list', 'List of deposits', depositList(proposal, at))}`
}

const isInDepositPeriod = ({ status }: Detail): boolean => status === 'deposit_period'

const wrapInSection = (proposal: Detail, content: Html): Html => {
  const isLive = proposal.closedTime === null
  return section({ id: 'deposits', title: 'Deposits', isLive }, content)
}

/** Shown first during the deposit period, otherwise empty. */
export const depositPeriodSection = (proposal: Detail, at: PageContext): Html =>
  isInDepositPeriod(proposal) ? wrapInSection(proposal, depositPeriod(proposal, at)) : html``

/** Shown after the deposit period, otherwise empty. */
export const depositsSection = (proposal: Detail, at: PageContext): Html =>
  isInDepositPeriod(proposal) ? html`` : wrapInSection(proposal, depositSummary(proposal, at))
