// Alerts about voting rounds.
import type { MatchesChain } from '../contract/tables/votes.ts'

/** A tallied round with a recomputed tally that differs or is unknown. */
export type TallyAlert = {
  proposalId: string
  round: number
  matchesChain: MatchesChain
  reason: string | null
}

/** Numbers of a round that were left out, with the reason. */
export type ImpossibleNumbers = { proposalId: string; round: number; reason: string }
