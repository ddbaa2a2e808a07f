// What the operator must know of voting rounds.
import type { MatchesChain } from '../contract/read-model.ts'

/** A round that the chain tallied, and whose recomputed tally is not shown to be the same. */
export type TallyAlert = {
  proposalId: string
  round: number
  matchesChain: MatchesChain
  reason: string | null
}

/** Numbers of a round that were left out, and why. */
export type ImpossibleNumbers = { proposalId: string; round: number; reason: string }
