// Who has not voted: the pools without a vote of their own, most stake first.
import { type Html, html } from '../../infra/html/html.ts'
import type { PageAt, PageData } from '../resources/page-data.ts'
import { amount } from './parts.ts'
import { poolLink } from './pool-votes.ts'

const SHOWN = 15

type Silent = NonNullable<PageData['proposal']['extras']['silent']>

const tableOf = (pools: Silent['pools'], { at, label }: { at: PageAt; label: string }): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table class="narrow"><thead><tr><th scope="col">Pool</th><th scope="col" class="number">Stake</th></tr></thead><tbody>${pools.map(
    (pool) =>
      html`<tr><th scope="row">${poolLink(pool, at)}</th><td class="number">${amount(pool.bondedTokens, at)}</td></tr>`,
  )}</tbody></table></div>`

export const silentSection = ({ extras }: PageData['proposal'], at: PageAt): Html => {
  const { silent } = extras
  if (!silent) return html``
  const { isFinal, total, pools } = silent
  const title = isFinal ? 'Who did not vote' : 'Who has not voted yet'
  const rest = pools.slice(SHOWN)
  const told = isFinal
    ? 'pools were in the tally without a vote of their own. Their stake is as of the tally; delegators who voted themselves are counted above.'
    : 'bonded pools have no vote of their own so far. Their stake is what is bonded now.'
  return html`<section id="silent" data-live="yes" aria-labelledby="silent-title"><h2 id="silent-title">${title}</h2>
${
  total === 0
    ? html`<p>${isFinal ? 'No pool that is known to have missed it.' : 'Every bonded pool has voted.'}</p>`
    : html`<p>${total} ${told}</p>${tableOf(pools.slice(0, SHOWN), { at, label: `${title}: pools` })}
${rest.length > 0 && html`<details id="silent-rest"><summary>${rest.length} more</summary>${tableOf(rest, { at, label: `${title}, the rest` })}</details>`}`
}</section>`
}
