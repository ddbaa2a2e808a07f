// Decides a tally: x/gov's comparisons in x/gov's order, on the sums before they are truncated. Pure.
import type { GovParams } from '../contract/facts.ts'
import { compareTally, type TallyLimits } from '../contract/tally-rules.ts'
import type { Tally } from './tally.ts'

/** The first comparison that decided the outcome. */
export type DecisionReason =
  | 'nothing_bonded'
  | 'quorum_missed'
  | 'all_abstained'
  | 'vetoed'
  | 'threshold_met'
  | 'threshold_missed'

export type Rules = {
  params: Pick<GovParams, 'quorum' | 'threshold' | 'vetoThreshold' | 'expeditedThreshold'>
  /** Balance of the bonded pool, in base units: includes pools that the tally skips. */
  bondedTokens: string
  /** Whether this round was an expedited one. */
  expedited: boolean
}

export const toLimits = ({ params, expedited }: Rules): TallyLimits<string> => ({
  ...params,
  threshold: (expedited ? params.expeditedThreshold : null) ?? params.threshold,
})

/** The comparisons, and the outcome of the first one that decides the vote. */
export const decide = (tally: Pick<Tally, 'sums' | 'votingPower'>, rules: Rules) => {
  const comparisons = compareTally(tally, toLimits(rules), rules.bondedTokens)
  const { quorum, veto, threshold } = comparisons
  const findReason = (): DecisionReason => {
    if (quorum.value === null) return 'nothing_bonded'
    if (!quorum.isMet) return 'quorum_missed'
    if (threshold.value === null) return 'all_abstained'
    if (veto.isMet) return 'vetoed'
    return threshold.isMet ? 'threshold_met' : 'threshold_missed'
  }
  const reason = findReason()
  return { passes: reason === 'threshold_met', reason, comparisons }
}
