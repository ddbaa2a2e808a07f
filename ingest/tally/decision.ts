// What a tally decides: x/gov's comparisons in x/gov's order, on the sums before they are truncated. Pure.
import { ATTO, parseDecimal, quo } from '../contract/decimal.ts'
import type { GovParams } from '../contract/facts.ts'
import type { Tally } from './tally.ts'

/** The first comparison that settled it. */
export type DecisionReason =
  | 'nothing_bonded'
  | 'quorum_missed'
  | 'all_abstained'
  | 'vetoed'
  | 'threshold_met'
  | 'threshold_missed'

export type Decision = {
  passes: boolean
  reason: DecisionReason
  /** Power that voted over the bonded total, in atto; null where nothing is bonded. */
  turnout: bigint | null
}

export type Rules = {
  params: Pick<GovParams, 'quorum' | 'threshold' | 'vetoThreshold' | 'expeditedThreshold'>
  /** Balance of the bonded pool, in base units: pools that the tally skips are in it too. */
  bondedTokens: string
  /** Whether this round was an expedited one. */
  expedited: boolean
}

const thresholdOf = ({ params, expedited }: Rules): bigint =>
  parseDecimal((expedited ? params.expeditedThreshold : null) ?? params.threshold)

/** Quorum fails below it; veto and threshold count only strictly above. */
export const decide = (
  { sums, votingPower }: Pick<Tally, 'sums' | 'votingPower'>,
  rules: Rules,
) => {
  const { params, bondedTokens } = rules
  const bonded = BigInt(bondedTokens)
  const settle = (reason: DecisionReason, turnout: bigint | null): Decision => ({
    passes: reason === 'threshold_met',
    reason,
    turnout,
  })
  if (bonded === 0n) return settle('nothing_bonded', null)
  const turnout = quo(votingPower, bonded * ATTO)
  if (turnout < parseDecimal(params.quorum)) return settle('quorum_missed', turnout)
  const decided = votingPower - sums.abstain
  if (decided === 0n) return settle('all_abstained', turnout)
  if (quo(sums.noWithVeto, votingPower) > parseDecimal(params.vetoThreshold)) {
    return settle('vetoed', turnout)
  }
  const isMet = quo(sums.yes, decided) > thresholdOf(rules)
  return settle(isMet ? 'threshold_met' : 'threshold_missed', turnout)
}
