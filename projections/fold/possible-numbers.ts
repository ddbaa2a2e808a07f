// Checks the computed numbers of an open vote: no part below zero, no pool above its own tokens, no sum above the bonded total.
// An impossible number is not served, and the tally has the reason. Pure, and depends only on the state.
import { ATTO } from '../../ingest/contract/decimal.ts'
import type { OptionSums } from '../../ingest/contract/option-sums.ts'
import type { PoolEntry } from './ballot.ts'
import type { PricedPool, Pricing } from './pricing.ts'

export type CheckedPricing = Pricing & {
  /** Why a pool's part, or the sum of all, is left out; undefined if none is. */
  problem(): string | undefined
  /** The sum of all parts if it is possible; else undefined. */
  check(sum: OptionSums | undefined): OptionSums | undefined
}

const total = ({ yes, abstain, no, noWithVeto }: OptionSums): bigint =>
  yes + abstain + no + noWithVeto

const hasNegative = ({ yes, abstain, no, noWithVeto }: OptionSums): boolean =>
  yes < 0n || abstain < 0n || no < 0n || noWithVeto < 0n

/** Each delegation is rounded: a sum may exceed the total by less than one base unit. */
const isAbove = (atto: bigint, units: bigint): boolean => atto >= (units + 1n) * ATTO

const findPoolProblem = (part: PricedPool, tokens: bigint | undefined): string | undefined => {
  if (part.votingPower < 0n) return 'its deductions exceed its power'
  if (part.delegatorPower < 0n || hasNegative(part.delegators) || hasNegative(part.total)) {
    return 'a part of it is below zero'
  }
  const isTooMuch = tokens !== undefined && isAbove(total(part.total), tokens)
  return isTooMuch ? 'its part is more than its tokens' : undefined
}

const findSumProblem = (sum: OptionSums, bonded: string | null): string | undefined => {
  if (hasNegative(sum)) return 'a sum is below zero'
  const isTooMuch = bonded !== null && isAbove(total(sum), BigInt(bonded))
  return isTooMuch ? 'the sum is more than all bonded tokens' : undefined
}

export const checkedPricing = (
  pricing: Pricing,
  /** At the time of the tally: the registry has later states then. */
  { isExact }: { isExact: boolean },
): CheckedPricing => {
  const { registry } = pricing
  let problem: string | undefined
  const getPrice = (entry: Readonly<PoolEntry>): PricedPool | undefined => {
    const part = pricing.getPrice(entry)
    if (!part) return undefined
    const { operatorAddress } = entry
    const tokens = isExact ? undefined : registry.pool(operatorAddress)?.tokens
    const found = findPoolProblem(part, tokens)
    if (!found) return part
    problem ??= `the numbers of pool ${operatorAddress} are impossible: ${found}`
    return undefined
  }
  return {
    registry,
    getPrice,
    problem: () => problem,
    check: (sum) => {
      const found = sum && findSumProblem(sum, isExact ? null : registry.bondedTokens)
      if (!found) return sum
      problem ??= `the live tally is impossible: ${found}`
      return undefined
    },
  }
}
