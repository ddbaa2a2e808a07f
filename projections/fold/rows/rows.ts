// Collects the rows of every table, and creates the rows of open state that changed.
import type { MatchesChain, TallyRow } from '../../contract/tables/votes.ts'
import { GOVERNANCE_TABLES, type GovernanceRows } from '../../contract/tables.ts'
import { timestampOrEpoch } from '../../contract/timestamps.ts'
import { foldFailure } from '../fold-error.ts'
import { priceRound } from '../pricing.ts'
import type { Undecodable } from '../record.ts'
import type { FoldState, OpenProposal } from '../state.ts'
import type { VotingRound } from '../voting-round.ts'
import { ballotRows, missedVoteRows, poolVoteRow } from './ballots.ts'
import { append } from './event-rows.ts'
import { proposalRow } from './proposals.ts'
import { completedTallyRow, tallyRow } from './tallies.ts'

/** A tallied round with a recomputed tally that differs or is unknown. */
export type TallyAlert = {
  proposalId: string
  round: number
  matchesChain: MatchesChain
  reason: string | null
}

/** Numbers of a round that were left out, with the reason. */
export type ImpossibleNumbers = { proposalId: string; round: number; reason: string }

export type FoldedRows = GovernanceRows & {
  /** Alerts, not rows, for the operator. */
  undecodable: Undecodable[]
  tallyAlerts: TallyAlert[]
  impossible: ImpossibleNumbers[]
}

/** The members are those of the type, but the compiler cannot verify it. */
export const emptyRows = (): FoldedRows =>
  Object.fromEntries(
    [...Object.keys(GOVERNANCE_TABLES), 'undecodable', 'tallyAlerts', 'impossible'].map((name) => [
      name,
      [],
    ]),
  ) as unknown as FoldedRows

/** One alert per problem: every commit creates the row again. */
const reportImpossible = (
  rows: FoldedRows,
  round: VotingRound,
  problem: string | undefined,
): void => {
  if (problem === round.reportedProblem) return
  round.reportedProblem = problem
  const { proposalId } = round
  if (problem) rows.impossible.push({ proposalId, round: round.round, reason: problem })
}

const reportMatch = (rows: FoldedRows, round: VotingRound, tally: TallyRow): void => {
  const { matchesChain, matchesChainReason: reason } = tally
  if (round.end?.by !== 'tallied' || matchesChain === 'yes') return
  rows.tallyAlerts.push({ proposalId: round.proposalId, round: round.round, matchesChain, reason })
}

/** Of a round that ended earlier: only what the chain says of it can still change. */
const addCompletedRow = (rows: FoldedRows, round: VotingRound, ended: TallyRow): void => {
  const tally = completedTallyRow(round, ended)
  rows.tallies.push(tally)
  reportMatch(rows, round, tally)
}

const addRoundRows = (rows: FoldedRows, round: VotingRound): void => {
  const pricing = priceRound(round)
  const tally = tallyRow(round, pricing)
  const { entries, ballots } = round.takeChanges()
  for (const entry of entries) rows.poolVotes.push(poolVoteRow(round, entry, pricing))
  append(rows.ballots, ballotRows(round, ballots))
  append(rows.missedVotes, missedVoteRows(round))
  rows.tallies.push(tally)
  reportImpossible(rows, round, pricing.problem)
  reportMatch(rows, round, tally)
  if (round.end) round.endedRow = tally
}

const takeRoundRows = (rows: FoldedRows, state: FoldState, round: VotingRound): void => {
  if (!state.changed.rounds.delete(round)) return
  try {
    if (round.endedRow) addCompletedRow(rows, round, round.endedRow)
    else addRoundRows(rows, round)
  } catch (error) {
    const { proposalId, at } = round
    const what = `the rows of proposal ${proposalId}, round ${round.round}, at height ${at.height}`
    throw foldFailure(what, error)
  }
}

const takeProposalRows = (rows: FoldedRows, state: FoldState, proposal: OpenProposal): void => {
  const { proposalId, shownAt } = proposal
  if (state.changed.proposals.delete(proposal)) rows.proposals.push(proposalRow(proposal))
  if (!state.changed.watermarks.delete(proposal)) return
  const final = state.closing.has(proposal) || state.closed.has(proposalId)
  const awaits = final && proposal.unread.length > 0
  const time = timestampOrEpoch(shownAt.time)
  rows.watermarks.push({ proposalId, position: shownAt.value, time, final, awaits })
}

/** The last rows of rounds that ended at this height: priced with its state, before another height changes that. */
export const takeEndedRows = (rows: FoldedRows, state: FoldState): void => {
  for (const round of state.endedRounds.keys()) takeRoundRows(rows, state, round)
  for (const proposal of state.closing) takeProposalRows(rows, state, proposal)
}

/** The rows of open state that changed since the last call: created once for all heights of a commit. */
export const takeOpenRows = (rows: FoldedRows, state: FoldState): void => {
  for (const round of state.changed.rounds) takeRoundRows(rows, state, round)
  const { proposals, watermarks } = state.changed
  for (const proposal of new Set([...proposals, ...watermarks])) {
    takeProposalRows(rows, state, proposal)
  }
}
