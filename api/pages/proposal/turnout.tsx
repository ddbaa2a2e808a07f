// Turnout over time: a chart, with the block in which the quorum was reached.
import type { ProposalPageData } from '../../resources/proposal-page.ts'
import { Section } from '../../view/blocks.tsx'
import { Drawn, Link, Time } from '../../view/parts.tsx'
import { withQuery } from '../../view/paths.ts'
import { type Series, TurnoutChart, toChartData } from '../../view/turnout-chart.tsx'
import { pluralize } from '../../words/in-words.ts'
import { noVotes } from '../../words/status.ts'

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
