// Turnout over time: a chart rendered on the server, and its data as a table.

import { type Html, type HtmlValue, html } from '../../infra/base/html/html.ts'
import type { PageContext } from '../document/context.ts'
import { folded, numberCell, scrollable, section, tableHead } from '../document/html/elements.ts'
import { amount, share, timestamp, UNKNOWN } from '../document/html/inline.ts'
import { noVotes, pluralize } from '../in-words.ts'
import type { PageData } from '../resources/page-data.ts'
import { part, shareText, width } from '../shares.ts'

type Series = NonNullable<PageData['proposal']['extras']['turnoutSeries']>
type Point = { x: string; y: string }

/** Percent of the width or height of the drawing, without the sign. */
const hundredths = (some: bigint, whole: bigint): string => width(part(some, whole)).slice(0, -1)

const fromTop = (some: bigint, whole: bigint): string => hundredths(whole - some, whole)

/** Each step is drawn from its end: its votes were cast before that time. */
const toPathData = (points: readonly Point[]): string =>
  `M0 100${points.map(({ x, y }) => `H${x}V${y}`).join('')}H100`

type ChartData = {
  top: bigint
  values: bigint[]
  mark: string | null
  label: Html
  isPower: boolean
}

const toChartData = ({ tally }: PageData['proposal'], series: Series): ChartData => {
  const last = series.steps.at(-1)
  const bonded = tally?.bondedTokens
  if (last?.votingPower != null && bonded != null && BigInt(bonded) > 0n) {
    return {
      top: BigInt(bonded),
      values: series.steps.map(({ votingPower }) => BigInt(votingPower ?? 0)),
      mark: tally?.quorum ?? null,
      label: html`Share of all voting power that had voted. \
Each voter is counted at the time of its last ballot, with its voting power in the tally.`,
      isPower: true,
    }
  }
  return {
    top: BigInt(last?.ballots ?? 0),
    values: series.steps.map(({ ballots }) => BigInt(ballots)),
    mark: null,
    label: html`Number of ballots. A changed ballot is counted at the time of its last change. \
${tally?.final ? 'For this vote' : 'Until the vote ends'}, only the number of voters is known.`,
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

const explained = ({ label }: ChartData, { untimed, quorumReached }: Series): Html => {
  const { height, time } = quorumReached
  const moment =
    time === null ? null : html` The quorum was reached at ${timestamp(time)}, in block ${height}.`
  const early = html` ${pluralize(untimed, 'ballot was', 'ballots were')} cast before the first block \
that Rollcall has, and counted from the start.`
  return html`<p class="small soft">${label}${moment}${untimed > 0 && early}</p>`
}

/** The heading says what is drawn. */
const toHeading = (isPower: boolean) => ({
  id: 'turnout',
  title: isPower ? 'Turnout over time' : 'Ballots over time',
  isLive: true,
})

const TIMES_UNKNOWN = html`<p>These votes were cast before the first indexed height. \
Not all of their times are known.</p>`

export const turnoutSection = (proposal: PageData['proposal'], at: PageContext): Html => {
  const { turnoutSeries: series } = proposal.extras
  if (!series) return html``
  if (series.steps.length === 0) return section(toHeading(false), html`<p>${noVotes(proposal)}</p>`)
  if (!series.isTimed) return section(toHeading(false), TIMES_UNKNOWN)
  const chart = toChartData(proposal, series)
  return section(
    toHeading(chart.isPower),
    html`
${explained(chart, series)}
${figure(series, chart)}
${numbers(series, chart, at)}`,
  )
}
