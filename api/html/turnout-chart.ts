// How a vote came together: a line drawn by the server, and its numbers in a table.
import { type Html, html } from '../../infra/html/html.ts'
import type { PageAt, PageData } from '../resources/page-data.ts'
import { amount, moment, share } from './parts.ts'
import { part, width } from './shares.ts'

type Series = NonNullable<PageData['proposal']['extras']['turnoutSeries']>
type Point = { x: string; y: string }

/** Hundredths of the drawing's height and width, without the sign. */
const hundredths = (some: bigint, whole: bigint): string => width(part(some, whole)).slice(0, -1)

const fromTop = (some: bigint, whole: bigint): string => hundredths(whole - some, whole)

/** A step holds from its end on: before, only some of it was there. */
const pathOf = (points: readonly Point[]): string =>
  `M0 100${points.map(({ x, y }) => `H${x}V${y}`).join('')}H100`

type Drawn = { top: bigint; values: bigint[]; mark: string | null; label: Html; isPower: boolean }

const drawnOf = ({ tally }: PageData['proposal'], series: Series): Drawn => {
  const last = series.steps.at(-1)
  const bonded = tally?.bondedTokens
  if (last?.power != null && bonded != null && BigInt(bonded) > 0n) {
    return {
      top: BigInt(bonded),
      values: series.steps.map(({ power }) => BigInt(power ?? 0)),
      mark: tally?.quorum ?? null,
      label: html`Share of the bonded stake that had voted. Each voter is counted at its last ballot, with the power it had in the tally.`,
      isPower: true,
    }
  }
  return {
    top: BigInt(last?.ballots ?? 0),
    values: series.steps.map(({ ballots }) => BigInt(ballots)),
    mark: null,
    label: html`Number of ballots; a changed ballot is counted when it was last changed. What power they had over time is not known ${tally?.final ? 'for this vote' : 'before the tally'}.`,
    isPower: false,
  }
}

const drawing = (series: Series, { top, values, mark }: Drawn): Html => {
  const from = Date.parse(series.from)
  const span = BigInt(Math.max(1, Date.parse(series.to) - from))
  const points = series.steps.map(
    ({ until }, at): Point => ({
      x: hundredths(BigInt(Date.parse(until) - from), span),
      y: fromTop(values[at] ?? 0n, top),
    }),
  )
  const path = pathOf(points)
  const line = mark === null ? null : width(mark)
  return html`<svg class="chart" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true" focusable="false"><path class="area" d="${path}V100Z"/>${line && html`<line class="mark" x1="0" x2="100" y1="${100 - Number.parseFloat(line)}" y2="${100 - Number.parseFloat(line)}" stroke-dasharray="4 4" vector-effect="non-scaling-stroke"/>`}<path class="line" d="${path}" vector-effect="non-scaling-stroke"/></svg>`
}

const numbers = (series: Series, { isPower, top, values }: Drawn, at: PageAt): Html =>
  html`<details id="turnout-numbers"><summary>The numbers of this drawing</summary><div class="scroll" tabindex="0" role="region" aria-label="Turnout over time in numbers"><table><thead><tr><th scope="col">Until</th><th scope="col" class="number">Ballots</th>${isPower && html`<th scope="col" class="number">Stake</th><th scope="col" class="number">Turnout</th>`}</tr></thead><tbody>
${series.steps.map(({ until, ballots, power }, n) => html`<tr><td>${moment(until)}</td><td class="number">${ballots}</td>${isPower && html`<td class="number">${amount(power, at)}</td><td class="number">${share(part(values[n] ?? 0n, top))}</td>`}</tr>`)}
</tbody></table></div></details>`

export const turnoutSection = (proposal: PageData['proposal'], at: PageAt): Html => {
  const { turnoutSeries: series } = proposal.extras
  if (!series) return html``
  const title = html`<h2 id="turnout-title">Turnout over time</h2>`
  if (series.steps.length === 0)
    return html`<section id="turnout" data-live="yes" aria-labelledby="turnout-title">${title}<p>No ballot was cast${proposal.tally?.final ? '' : ' yet'}.</p></section>`
  const drawn = drawnOf(proposal, series)
  const highest = drawn.isPower ? html`100\u202f%` : html`${drawn.top}`
  const quorum = drawn.mark === null ? null : html`<span>dashed: quorum ${share(drawn.mark)}</span>`
  return html`<section id="turnout" data-live="yes" aria-labelledby="turnout-title">${title}
<p class="small soft">${drawn.label}${series.untimed > 0 && html` ${series.untimed} of them were cast before the first indexed height: they are in from the start.`}</p>
<figure class="turnout"><p class="small soft scale"><span>${highest}</span>${quorum}</p>${drawing(series, drawn)}<figcaption class="small soft scale"><span>${moment(series.from)}</span><span>${moment(series.to)}</span></figcaption></figure>
${numbers(series, drawn, at)}</section>`
}
