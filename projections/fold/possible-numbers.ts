// Checks the computed numbers of an open vote: no part below zero, no pool above its own tokens, no power above the bonded total.
// An impossible number is not served, and the tally has the reason. Pure, and depends only on the state.
import { ATTO } from '../../ingest/contract/decimal.ts'
import type { OptionSums } from '../../ingest/contract/option-sums.ts'
import type { PoolEntry } from './ballot.ts'
import { createPricing, type PricedPool, type Pricing, type RoundPrice } from './pricing.ts'
import type { VotingRound } from './voting-round.ts'

export type CheckedPricing = Pricing & {
  /** Why a pool's part, or the sum of all, is left out; undefined if none is. */
  problem(): string | undefined
}

const hasNegative = ({ yes, abstain, no, noWithVeto }: OptionSums): boolean =>
  yes < 0n || abstain < 0n || no < 0n || noWithVeto < 0n

/** Each delegation is rounded: a sum may exceed the total by less than one base unit. */
const isAbove = (atto: bigint, units: bigint): boolean => atto >= (units + 1n) * ATTO

/** The weights of a vote may add up to any number: only powers have a limit. */
const findPoolProblem = (
  part: PricedPool,
  { isVoted, tokens }: { isVoted: boolean; tokens: bigint | undefined },
): string | undefined => {
  const { votingPower, delegatorPower, delegators, total } = part
  if (votingPower < 0n) return 'its deductions exceed its power'
  if (delegatorPower < 0n || hasNegative(delegators) || hasNegative(total)) {
    return 'a part of it is below zero'
  }
  const power = delegatorPower + (isVoted ? votingPower : 0n)
  const isTooMuch = tokens !== undefined && isAbove(power, tokens)
  return isTooMuch ? 'its part is more than its tokens' : undefined
}

const findSumProblem = (
  { sums, votingPower }: RoundPrice,
  bonded: string | null,
): string | undefined => {
  if (hasNegative(sums)) return 'a sum is below zero'
  const isTooMuch = bonded !== null && isAbove(votingPower, BigInt(bonded))
  return isTooMuch ? 'the sum is more than all bonded tokens' : undefined
}

export function createCheckedPricing(round: VotingRound): CheckedPricing {
  const { tally, registry } = round
  const pricing = createPricing(round)
  let problem: string | undefined
  const getPrice = (entry: Readonly<PoolEntry>): PricedPool | undefined => {
    const part = pricing.getPrice(entry)
    if (!part) return undefined
    const { operatorAddress, ownVote } = entry
    // A tally has the pools of its own height.
    const tokens = tally ? undefined : registry.pool(operatorAddress)?.tokens
    const found = findPoolProblem(part, { isVoted: ownVote !== undefined, tokens })
    if (!found) return part
    problem ??= `the numbers of pool ${operatorAddress} are impossible: ${found}`
    return undefined
  }
  const getSum = (): RoundPrice | undefined => {
    const sum = pricing.getSum()
    if (!sum) return undefined
    if (!tally) for (const entry of round.entries.values()) getPrice(entry)
    const found = findSumProblem(sum, tally ? null : registry.bondedTokens)
    if (found) problem ??= `the live tally is impossible: ${found}`
    return problem === undefined ? sum : undefined
  }
  return { getPrice, getSum, problem: () => problem }
}
