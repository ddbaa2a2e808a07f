// Turnout over time: a chart with the block in which the quorum was reached, and its data as a table.
import type { ProposalPageData } from '../../resources/proposal-page.ts'
import { Details, NumberHeads, Scrollable, Section } from '../../view/blocks.tsx'
import { Amount, Drawn, Link, Share, Time } from '../../view/parts.tsx'
import { withQuery } from '../../view/paths.ts'
import { pluralize } from '../../words/in-words.ts'
import { shareText, toLength, toShare } from '../../words/shares.ts'
import { noVotes } from '../../words/status.ts'

type Series = NonNullable<ProposalPageData['extras']['turnoutSeries']>

/** Percent of the width or height of the drawing, without the sign. */
const hundredths = (some: bigint, whole: bigint): string =>
  toLength(toShare(some, whole)).slice(0, -1)

/** `mark` is the quorum. */
type ChartData = { top: bigint; values: bigint[]; mark: string | null; isPower: boolean }

/** Of ballots, unless the voting power of every step is known. */
const toChartData = ({ tally }: ProposalPageData, series: Series): ChartData => {
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

type ChartProps = { series: Series; chart: ChartData }

function Drawing({ series, chart: { top, values, mark } }: ChartProps) {
  const from = Date.parse(series.from)
  const span = BigInt(Math.max(1, Date.parse(series.to) - from))
  // Each step is drawn from its end: its votes were cast before that time.
  const steps = series.steps.map(({ until }, at) => {
    const x = hundredths(BigInt(Date.parse(until) - from), span)
    return `H${x}V${hundredths(top - (values[at] ?? 0n), top)}`
  })
  const path = `M0 100${steps.join('')}H100`
  const y = mark === null ? null : 100 - Number.parseFloat(toLength(mark))
  return (
    <svg
      class="chart"
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      <path class="area" d={`${path}V100Z`} />
      {y !== null && (
        <line
          class="mark"
          x1="0"
          x2="100"
          y1={y}
          y2={y}
          stroke-dasharray="4 4"
          vector-effect="non-scaling-stroke"
        />
      )}
      <path class="line" d={path} vector-effect="non-scaling-stroke" />
    </svg>
  )
}

type StepShareProps = Pick<Series['steps'][number], 'votingPower' | 'turnout'> & { bonded: bigint }

/** By the rule of all shares on the page. */
function StepShare({ votingPower, turnout, bonded }: StepShareProps) {
  if (turnout === null || votingPower === null) return <Share of={turnout} />
  return <>{shareText(BigInt(votingPower), bonded)}</>
}

function StepTable({ series, chart: { isPower, top } }: ChartProps) {
  const columns = ['Until', 'Ballots', ...(isPower ? ['Voting power', 'Turnout'] : [])]
  return (
    <Details id="turnout-numbers" summary="Chart data">
      <Scrollable label="Chart data in numbers">
        <table>
          <NumberHeads columns={columns} />
          <tbody>
            {series.steps.map(({ until, ballots, votingPower, turnout }) => (
              <tr>
                <td>
                  <Time of={until} />
                </td>
                <td class="number">{ballots}</td>
                {isPower && (
                  <>
                    <td class="number">
                      <Amount base={votingPower} />
                    </td>
                    <td class="number">
                      <StepShare {...{ votingPower, turnout, bonded: top }} />
                    </td>
                  </>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrollable>
    </Details>
  )
}

function TurnoutChart({ series, chart }: ChartProps) {
  return (
    <>
      <figure class="turnout">
        <p class="small soft scale">
          <span>{chart.isPower ? '100\u202f%' : chart.top}</span>
          {chart.mark !== null && (
            <span>
              dashed: quorum <Share of={chart.mark} />
            </span>
          )}
        </p>
        <Drawing {...{ series, chart }} />
        <figcaption class="small soft scale">
          {[series.from, series.to].map((time) => (
            <span>
              <Time of={time} />
            </span>
          ))}
        </figcaption>
      </figure>
      <StepTable {...{ series, chart }} />
    </>
  )
}

const POWER =
  'Share of all voting power that had voted. ' +
  'Each voter is counted at the time of its last ballot, with its voting power in the tally.'

const describeBallots = (isFinal: boolean): string =>
  'Number of ballots. A changed ballot is counted at the time of its last change. ' +
  `${isFinal ? 'For this vote' : 'Until the vote ends'}, only the number of voters is known.`

type AboutProps = { series: Series; isPower: boolean; isFinal: boolean }

function AboutChart({ series: { untimed, quorumReached }, isPower, isFinal }: AboutProps) {
  const { height, time } = quorumReached
  return (
    <p class="small soft">
      {isPower ? POWER : describeBallots(isFinal)}
      {time !== null && (
        <>
          {' '}
          The quorum was reached at <Time of={time} />, in block {height}.
        </>
      )}
      {untimed > 0 &&
        ` ${pluralize(untimed, 'ballot was', 'ballots were')} cast before the first block ` +
          'that Rollcall has, and counted from the start.'}
    </p>
  )
}

export function Turnout({ of: proposal }: { of: ProposalPageData }) {
  const { proposalId, extras, tally } = proposal
  const { turnoutSeries: series, rounds, shownRound } = extras
  if (!series) return null
  if (series.steps.length === 0 || !series.isTimed) {
    return (
      <Section id="turnout" title="Ballots over time" isLive>
        <p>
          {series.steps.length === 0
            ? noVotes(proposal)
            : 'These votes were cast before the first indexed height. Not all of their times are known.'}
        </p>
      </Section>
    )
  }
  const chart = toChartData(proposal, series)
  const { isPower } = chart
  const round = rounds.length > 1 ? `${shownRound}` : ''
  const data = (
    <p>
      <Link to={withQuery(`/api/proposals/${proposalId}/turnout`, { round })}>
        All steps as JSON
      </Link>
    </p>
  )
  return (
    <Section id="turnout" title={isPower ? 'Turnout over time' : 'Ballots over time'} isLive>
      <AboutChart {...{ series, isPower, isFinal: tally?.final === true }} />
      <Drawn text={data}>
        <TurnoutChart series={series} chart={chart} />
      </Drawn>
    </Section>
  )
}
