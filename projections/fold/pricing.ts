// The tally of an open or an ended round, as far as it is possible. No part of it is below zero, no pool above its own tokens, and no power
// above the bonded total: an impossible number is not served, and the tally has the reason.
import { ATTO } from '../../ingest/contract/decimal.ts'
import type { OptionSums } from '../../ingest/contract/option-sums.ts'
import { zeroSums } from '../../ingest/tally/option-sums.ts'
import type { PoolPart, Tally } from '../../ingest/tally/tally.ts'
import type { PoolEntry } from './ballot.ts'
import type { VotingRound } from './voting-round.ts'

/** The part of a pool that the tally does not count. All in atto. */
const NOTHING: Omit<PoolPart, 'operatorAddress'> = {
  vote: null,
  votingPower: 0n,
  delegators: { ballots: 0, votingPower: 0n, sums: zeroSums() },
  sums: zeroSums(),
}

/** The sums of a round, and the power of all its votes: the numerator of the quorum. In atto. */
export type RoundPrice = Pick<Tally, 'sums' | 'votingPower'>

const hasNegative = ({ yes, abstain, no, noWithVeto }: OptionSums): boolean =>
  yes < 0n || abstain < 0n || no < 0n || noWithVeto < 0n

/** Each delegation is rounded: a sum may exceed the total by less than one base unit. */
const isAbove = (atto: bigint, units: string): boolean => atto >= (BigInt(units) + 1n) * ATTO

/** The weights of a vote may add up to any number: only powers have a limit. A final tally has the pools of its own height. */
const findPoolProblem = (
  { tally, registry }: VotingRound,
  { operatorAddress, ownVote }: Readonly<PoolEntry>,
  { votingPower, delegators, sums }: typeof NOTHING,
): string | undefined => {
  if (votingPower < 0n) return 'its deductions exceed its power'
  if (delegators.votingPower < 0n || hasNegative(delegators.sums) || hasNegative(sums)) {
    return 'a part of it is below zero'
  }
  const tokens = tally ? undefined : registry.pool(operatorAddress)?.tokens
  const power = delegators.votingPower + (ownVote ? votingPower : 0n)
  const isTooMuch = tokens !== undefined && isAbove(power, tokens)
  return isTooMuch ? 'its part is more than its tokens' : undefined
}

const findSumProblem = (
  { tally, registry }: VotingRound,
  { sums, votingPower }: RoundPrice,
): string | undefined => {
  if (hasNegative(sums)) return 'a sum is below zero'
  const bonded = tally ? null : registry.bondedTokens
  const isTooMuch = bonded !== null && isAbove(votingPower, bonded)
  return isTooMuch ? 'the sum is more than all bonded tokens' : undefined
}

/** The prices of one round. A part or a sum that is not known, or not possible, is left out. */
export type Pricing = {
  /** By operator address. */
  parts: ReadonlyMap<string, typeof NOTHING>
  sum: RoundPrice | undefined
  /** Why a pool's part, or the sum of all, is not possible; undefined if all are. */
  problem: string | undefined
}

export function priceRound(round: VotingRound): Pricing {
  const parts = new Map<string, typeof NOTHING>()
  if (!round.tally && !round.isPriced) return { parts, sum: undefined, problem: undefined }
  const { pools, sums, votingPower } = round.tally ?? round.computeTally()
  let problem: string | undefined
  for (const entry of round.entries.values()) {
    const { operatorAddress } = entry
    const part = pools.get(operatorAddress) ?? NOTHING
    const found = findPoolProblem(round, entry, part)
    if (found) problem ??= `the numbers of pool ${operatorAddress} are impossible: ${found}`
    else parts.set(operatorAddress, part)
  }
  const sum = { sums, votingPower }
  const found = findSumProblem(round, sum)
  if (found) problem ??= `the live tally is impossible: ${found}`
  return { parts, sum: problem === undefined ? sum : undefined, problem }
}
