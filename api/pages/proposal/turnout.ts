// Turnout over time: a chart, with the block in which the quorum was reached.
import type { PageContext } from '../../document/context.ts'
import { link, time } from '../../document/line.ts'
import { withQuery } from '../../document/paths.ts'
import { type Block, paragraph, picture, section } from '../../document/tree.ts'
import { type Series, toChartData, turnoutChart } from '../../html/turnout-chart.ts'
import { noVotes, pluralize } from '../../in-words.ts'
import type { ProposalPageData } from '../../resources/proposal-page.ts'

const POWER =
  'Share of all voting power that had voted. ' +
  'Each voter is counted at the time of its last ballot, with its voting power in the tally.'

const describeBallots = (isFinal: boolean): string =>
  'Number of ballots. A changed ballot is counted at the time of its last change. ' +
  `${isFinal ? 'For this vote' : 'Until the vote ends'}, only the number of voters is known.`

const describeChart = (
  { tally }: ProposalPageData,
  { untimed, quorumReached }: Series,
  isPower: boolean,
): Block => {
  const { height, time: reached } = quorumReached
  const early =
    ` ${pluralize(untimed, 'ballot was', 'ballots were')} cast before the first block ` +
    'that Rollcall has, and counted from the start.'
  return paragraph(
    [
      isPower ? POWER : describeBallots(tally?.final === true),
      reached !== null && [' The quorum was reached at ', time(reached), `, in block ${height}.`],
      untimed > 0 && early,
    ],
    'small soft',
  )
}

const TIMES_UNKNOWN = paragraph(
  'These votes were cast before the first indexed height. Not all of their times are known.',
)

/** The heading says what is drawn. */
const toHeading = (isPower: boolean) => ({
  id: 'turnout',
  title: isPower ? 'Turnout over time' : 'Ballots over time',
  isLive: true,
})

export const writeTurnout = (proposal: ProposalPageData, at: PageContext): Block => {
  const { proposalId, extras } = proposal
  const { turnoutSeries: series, rounds, shownRound } = extras
  if (!series) return null
  if (series.steps.length === 0) return section(toHeading(false), paragraph(noVotes(proposal)))
  if (!series.isTimed) return section(toHeading(false), TIMES_UNKNOWN)
  const chart = toChartData(proposal, series)
  const data = withQuery(`/api/proposals/${proposalId}/turnout`, {
    round: rounds.length > 1 ? `${shownRound}` : '',
  })
  return section(
    toHeading(chart.isPower),
    describeChart(proposal, series, chart.isPower),
    picture(turnoutChart(series, chart, at), paragraph(link(data, 'All steps as JSON'))),
  )
}
