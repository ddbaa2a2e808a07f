// Reads the turnout of one round over time, for its own list. The page of a proposal already has the proposal.
import { type ProposalRow, TABLE, type TallyRow } from '../../../projections/contract/read-model.ts'
import type { TurnoutPage } from '../../schemas/turnout.ts'
import type { Reads } from '../query.ts'
import { buildLatestTable, requireOneState, selectRows } from './as-of.ts'
import { notFound } from './known-proposal.ts'
import { readRound } from './proposal-rounds.ts'
import { getKnownRound } from './proposal-rows.ts'
import { readTurnoutSeries } from './turnout-series.ts'

const PROPOSAL_COLUMNS = [
  'proposal_id',
  'status',
  'round',
  'round_reason',
  'history',
  'voting_start_time',
  'voting_end_time',
  'closed_time',
  'version',
] as const satisfies readonly (keyof ProposalRow)[]

type Proposal = Pick<ProposalRow, (typeof PROPOSAL_COLUMNS)[number]>

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
  const select = <Row>(columns: string, table: string, rest = '') =>
    selectRows<Row>(
      reads,
      `SELECT ${columns} FROM ${buildLatestTable(snapshot, table)} WHERE proposal_id = {id:UInt64} ${rest}`,
      { id: proposalId, round },
    )
  const [[proposal], tallies] = await Promise.all([
    select<Proposal>(PROPOSAL_COLUMNS.join(', '), TABLE.proposals),
    select<TallyRow>('*', TABLE.tallies, 'AND round = {round:UInt16}'),
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
