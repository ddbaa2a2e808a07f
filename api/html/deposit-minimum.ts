// The progress of a deposit towards its minimum: a bar for each denom.

import { type Html, html } from '../../infra/base/html/html.ts'
import type { Coin } from '../../ingest/contract/facts.ts'
import type { PageContext } from '../document/context.ts'
import { coin, coinList, reasonText, share } from '../document/html/inline.ts'
import type { ProposalPageData } from '../resources/proposal-page.ts'
import { part } from '../shares.ts'
import { bar } from './bar.ts'

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

export const minimumBoxes = (proposal: ProposalPageData, at: PageContext): Html => {
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
