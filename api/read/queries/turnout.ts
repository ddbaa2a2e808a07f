// Reads the turnout of one round over time, for its own list. The page of a proposal already has the proposal.
import type { Selection } from '../../../projections/contract/table/define-table.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import type { TurnoutPage } from '../../schemas/turnout.ts'
import type { Reads } from '../query.ts'
import { buildLatestTable, requireOneState, selectFrom } from './as-of.ts'
import { notFound } from './known-proposal.ts'
import { readRound } from './proposal-rounds.ts'
import { getKnownRound } from './proposal-rows.ts'
import { readTurnoutSeries } from './turnout-series.ts'

const PROPOSAL = TABLES.proposals.select([
  'proposalId',
  'status',
  'round',
  'roundReason',
  'history',
  'votingStartTime',
  'votingEndTime',
  'closedTime',
  'version',
])

type Turnout = Pick<
  TurnoutPage,
  'items' | 'round' | 'from' | 'to' | 'untimedBallots' | 'quorumReached'
>

const withoutVote = (round: number | null, reason: string): Turnout => ({
  items: [],
  round,
  from: null,
  to: null,
  untimedBallots: 0,
  quorumReached: { height: null, time: null, reason },
})

/** Throws `proposal-not-found` or `round-not-found`. */
export const readTurnout = async (
  reads: Reads,
  at: { proposalId: string; round?: number | undefined },
): Promise<Turnout> => {
  const { snapshot } = reads
  const { proposalId } = at
  const { round } = await readRound(reads, at)
  const select = <Row>(selection: Selection<Row>, table: { name: string }, rest = '') =>
    selectFrom(
      reads,
      selection,
      `${buildLatestTable(snapshot, table)} WHERE proposal_id = {id:UInt64} ${rest}`,
      { id: proposalId, round },
    )
  const [[proposal], tallies] = await Promise.all([
    select(PROPOSAL, TABLES.proposals),
    select(TABLES.tallies.all, TABLES.tallies, 'AND round = {round:UInt16}'),
  ])
  if (!proposal) throw notFound(proposalId)
  requireOneState(proposal, tallies, snapshot)
  const shownRound = round === proposal.round ? getKnownRound(proposal) : round
  const [tally] = tallies
  if (!tally) return withoutVote(shownRound, 'no vote has started')
  const series = await readTurnoutSeries(reads, { row: proposal, round, tally })
  if (!series) return withoutVote(shownRound, 'the start of voting is not known')
  const { from, to, steps, untimed, quorumReached } = series
  return { items: steps, round: shownRound, untimedBallots: untimed, from, to, quorumReached }
}
