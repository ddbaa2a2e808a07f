// Decides a tally: x/gov's comparisons in x/gov's order, on the sums before they are truncated. Pure.

import { compareTally, type TallyLimits } from '../contract/compare-tally.ts'
import type { GovParams } from '../contract/facts.ts'
import type { Tally } from './tally.ts'

/** The first comparison that decided the outcome. */
export type DecisionReason =
  | 'nothing_bonded'
  | 'quorum_missed'
  | 'all_abstained'
  | 'vetoed'
  | 'threshold_met'
  | 'threshold_missed'
  | 'threshold_unknown'

export type Rules = {
  params: Pick<
    GovParams,
    'quorum' | 'threshold' | 'vetoThreshold' | 'expeditedQuorum' | 'expeditedThreshold'
  >
  /** Balance of the bonded pool, in base units: includes pools that the tally skips. */
  bondedTokens: string
  /** Whether this round was an expedited one. */
  expedited: boolean
}

/** A limit of expedited votes that is unknown is not that of other votes. */
export const toLimits = ({ params, expedited }: Rules): TallyLimits => {
  if (!expedited) return params
  const { expeditedQuorum = params.quorum, expeditedThreshold } = params
  return { ...params, quorum: expeditedQuorum, threshold: expeditedThreshold }
}

/**
 * The comparisons, and the outcome of the first one that decides the vote. A limit that the chain does not
 * have decides nothing; without a threshold `passes` is null.
 */
export const decide = (tally: Pick<Tally, 'sums' | 'votingPower'>, rules: Rules) => {
  const limits = toLimits(rules)
  const comparisons = compareTally(tally, limits, rules.bondedTokens)
  const { quorum, veto, threshold } = comparisons
  const findReason = (): DecisionReason => {
    if (quorum.value === null) return 'nothing_bonded'
    if (quorum.isMet === false) return 'quorum_missed'
    if (threshold.value === null) return 'all_abstained'
    if (veto.isMet) return 'vetoed'
    if (limits.threshold === null) return 'threshold_unknown'
    return threshold.isMet ? 'threshold_met' : 'threshold_missed'
  }
  const reason = findReason()
  const passes = reason === 'threshold_unknown' ? null : reason === 'threshold_met'
  return { passes, reason, comparisons }
}
