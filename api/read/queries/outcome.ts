// Compares a tally with quorum and thresholds as the chain does, and finds why a proposal was rejected. Pure.

import { compareTally } from '../../../ingest/contract/compare-tally.ts'
import { ATTO } from '../../../ingest/contract/decimal.ts'
import type { OutcomeReason } from '../../schemas/proposal.ts'
import type { Tally } from '../../schemas/tally.ts'
import { findVoted, type Sums, toSums } from '../../words/options.ts'

type Limits = Pick<Tally, 'quorum' | 'threshold' | 'vetoThreshold' | 'bondedTokens' | 'votingPower'>

/** A limit that is null alone does not exist on the chain. If all are null, they are not known. */
export const hasLimits = (limits: Omit<Limits, 'bondedTokens' | 'votingPower'>): boolean =>
  limits.quorum !== null || limits.threshold !== null || limits.vetoThreshold !== null

/** In words, for a limit that is null alone. */
export const NO_LIMIT = {
  quorum: 'this chain has no quorum',
  threshold: 'this chain has no threshold',
  vetoThreshold: 'this chain has no veto',
} as const

/** Whether the chain has no veto: neither a limit nor votes for it. */
export const lacksVeto = (tally: Limits & Pick<Tally, 'noWithVeto'>): boolean =>
  tally.vetoThreshold === null && hasLimits(tally) && BigInt(tally.noWithVeto ?? '0') === 0n

export const compareWithLimits = (limits: Limits, { yes, abstain, no, noWithVeto }: Sums) => {
  const sums = {
    yes: yes * ATTO,
    abstain: abstain * ATTO,
    no: no * ATTO,
    noWithVeto: noWithVeto * ATTO,
  }
  const votingPower = findVoted(limits) * ATTO
  return compareTally({ sums, votingPower }, limits, limits.bondedTokens ?? '0')
}

/** The first comparison that rejects the proposal. Null if it was not rejected, or if a number is not known. */
export const findOutcomeReason = (
  status: string,
  tally: (Limits & Parameters<typeof toSums>[0]) | null,
): OutcomeReason | null => {
  const sums = status === 'rejected' && tally ? toSums(tally) : undefined
  if (!tally || !sums) return null
  const { quorum, veto, threshold } = compareWithLimits(tally, sums)
  if (quorum.value === null || !hasLimits(tally)) return null
  if (quorum.isMet === false) return 'quorum_not_reached'
  if (veto.isMet) return 'vetoed'
  if (tally.threshold === null) return null
  // The chain rejects a proposal that has only abstentions.
  return threshold.isMet ? null : 'threshold_not_met'
}
