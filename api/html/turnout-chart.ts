// Turnout over time: a chart, and its data as a table.

import { type Html, type HtmlValue, html } from '../../infra/base/html/html.ts'
import type { PageContext } from '../document/context.ts'
import { folded, numberCell, scrollable, tableHead } from '../document/html/elements.ts'
import { amount, share, timestamp, UNKNOWN } from '../document/html/inline.ts'
import type { ProposalPageData } from '../resources/proposal-page.ts'
import { part, shareText, width } from '../shares.ts'

export type Series = NonNullable<ProposalPageData['extras']['turnoutSeries']>
type Point = { x: string; y: string }

/** Percent of the width or height of the drawing, without the sign. */
const hundredths = (some: bigint, whole: bigint): string => width(part(some, whole)).slice(0, -1)

const fromTop = (some: bigint, whole: bigint): string => hundredths(whole - some, whole)

/** Each step is drawn from its end: its votes were cast before that time. */
const toPathData = (points: readonly Point[]): string =>
  `M0 100${points.map(({ x, y }) => `H${x}V${y}`).join('')}H100`

/** `mark` is the quorum. */
type ChartData = { top: bigint; values: bigint[]; mark: string | null; isPower: boolean }

/** Of ballots, unless the voting power of every step is known. */
export const toChartData = ({ tally }: ProposalPageData, series: Series): ChartData => {
  const last = series.steps.at(-1)
  const bonded = tally?.bondedTokens
  if (last?.votingPower != null && bonded != null && BigInt(bonded) > 0n) {
    return {
      top: BigInt(bonded),
      values: series.steps.map(({ votingPower }) => BigInt(votingPower ?? 0)),
      mark: tally?.quorum ?? null,
      isPower: true,
    }
  }
  return {
    top: BigInt(last?.ballots ?? 0),
    values: series.steps.map(({ ballots }) => BigInt(ballots)),
    mark: null,
    isPower: false,
  }
}

const markLine = (y: number): Html =>
  html`<line class="mark" x1="0" x2="100" y1="${y}" y2="${y}" \
stroke-dasharray="4 4" vector-effect="non-scaling-stroke"/>`

const drawing = (series: Series, { top, values, mark }: ChartData): Html => {
  const from = Date.parse(series.from)
  const span = BigInt(Math.max(1, Date.parse(series.to) - from))
  const points = series.steps.map(
    ({ until }, at): Point => ({
      x: hundredths(BigInt(Date.parse(until) - from), span),
      y: fromTop(values[at] ?? 0n, top),
    }),
  )
  const path = toPathData(points)
  const line = mark === null ? null : markLine(100 - Number.parseFloat(width(mark)))
  return html`<svg class="chart" viewBox="0 0 100 100" preserveAspectRatio="none" \
aria-hidden="true" focusable="false"><path class="area" d="${path}V100Z"/>${line}\
<path class="line" d="${path}" vector-effect="non-scaling-stroke"/></svg>`
}

const BALLOT_COLUMNS = [{ name: 'Until' }, { name: 'Ballots', isNumber: true }]
const POWER_COLUMNS = [
  { name: 'Voting power', isNumber: true },
  { name: 'Turnout', isNumber: true },
]

/** By the rule of all shares on the page. */
const stepTurnout = (
  { votingPower, turnout }: Pick<Series['steps'][number], 'votingPower' | 'turnout'>,
  bonded: bigint,
): HtmlValue => {
  if (turnout === null) return UNKNOWN
  return votingPower === null ? share(turnout) : shareText(BigInt(votingPower), bonded)
}

const numbers = (series: Series, { isPower, top }: ChartData, at: PageContext): Html => {
  const columns = [...BALLOT_COLUMNS, ...(isPower ? POWER_COLUMNS : [])]
  const rows = series.steps.map(({ until, ballots, votingPower, turnout }) => {
    const ofPower = isPower && [
      numberCell(amount(votingPower, at)),
      numberCell(stepTurnout({ votingPower, turnout }, top)),
    ]
    return html`<tr><td>${timestamp(until)}</td>${numberCell(ballots)}${ofPower}</tr>`
  })
  const table = html`<table>${tableHead(columns)}<tbody>
${rows}
</tbody></table>`
  return folded('turnout-numbers', 'Chart data', scrollable('Chart data in numbers', table))
}

const figure = (series: Series, chart: ChartData): Html => {
  const highest = chart.isPower ? '100\u202f%' : chart.top
  const quorum = chart.mark !== null && html`<span>dashed: quorum ${share(chart.mark)}</span>`
  const times = [series.from, series.to].map((time) => html`<span>${timestamp(time)}</span>`)
  return html`<figure class="turnout">\
<p class="small soft scale"><span>${highest}</span>${quorum}</p>\
${drawing(series, chart)}\
<figcaption class="small soft scale">${times}</figcaption></figure>`
}

export const turnoutChart = (series: Series, chart: ChartData, at: PageContext): Html =>
  html`${figure(series, chart)}
${numbers(series, chart, at)}`
