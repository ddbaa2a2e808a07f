// The comparisons of x/gov on the sums of a tally before they are truncated. Pure.
import { ATTO, parseDecimal, quo } from './decimal.ts'
import type { OptionSums } from './option-sums.ts'

/**
 * Whole units per option. One that is null alone: the chain has no such option, which counts nothing. All null: not known, and the
 * result is undefined.
 */
export const toKnownCounts = (
  counts: OptionSums<string | bigint | null>,
): OptionSums | undefined => {
  const { yes, abstain, no, noWithVeto } = counts
  if (yes === null && abstain === null && no === null && noWithVeto === null) return undefined
  return {
    yes: BigInt(yes ?? '0'),
    abstain: BigInt(abstain ?? '0'),
    no: BigInt(no ?? '0'),
    noWithVeto: BigInt(noWithVeto ?? '0'),
  }
}

/** Shares as decimals; null if the chain has no such limit, or if it is unknown. */
export type TallyLimits = {
  quorum: string | null
  vetoThreshold: string | null
  threshold: string | null
}

export type Comparison = {
  /** In atto; null if the divisor is zero. */
  value: bigint | null
  /** Null if the value or the limit is null. */
  isMet: boolean | null
}

const compare = (
  [part, whole]: readonly [bigint, bigint],
  limit: string | null,
  meets: (value: bigint, limit: bigint) => boolean,
): Comparison => {
  const value = whole === 0n ? null : quo(part, whole)
  const isKnown = value !== null && limit !== null
  return { value, isMet: isKnown ? meets(value, parseDecimal(limit)) : null }
}

const atLeast = (value: bigint, limit: bigint): boolean => value >= limit
const above = (value: bigint, limit: bigint): boolean => value > limit

/** In the order of the chain. The quorum is met at its limit, veto and threshold only above their limits. */
export const compareTally = (
  { sums, votingPower }: { sums: OptionSums; votingPower: bigint },
  { quorum, vetoThreshold, threshold }: TallyLimits,
  bondedTokens: string,
) => ({
  quorum: compare([votingPower, BigInt(bondedTokens) * ATTO], quorum, atLeast),
  veto: compare([sums.noWithVeto, votingPower], vetoThreshold, above),
  threshold: compare([sums.yes, votingPower - sums.abstain], threshold, above),
})
