// The exact tally of x/gov: every pool's part in units of 1e-18, truncated once per option at the end. Pure.

import { addressKey } from '../contract/address.ts'
import { mul, parseDecimal, quo, truncate } from '../contract/decimal.ts'
import type { Delegation, PoolState, TallyStrategy, WeightedOption } from '../contract/facts.ts'
import {
  addWeighted,
  type OptionSums,
  plus,
  toWeights,
  type Weights,
  zeroSums,
} from './option-sums.ts'

export type TallyPool = { pool: PoolState; counted: boolean }
export type TallyBallot = {
  voter: string
  options: readonly WeightedOption[]
  delegations: readonly Delegation[]
}

/** The part of one pool and of its delegators who voted themselves. All in atto. */
export type PoolPart = {
  operatorAddress: string
  /** The operator's own vote, null if it did not vote. */
  vote: readonly WeightedOption[] | null
  /** The power of the pool's own vote after the deductions of its delegators; also set if it did not vote. */
  votingPower: bigint
  delegators: { ballots: number; votingPower: bigint; sums: OptionSums }
  sums: OptionSums
}

export type Tally = {
  pools: ReadonlyMap<string, PoolPart>
  sums: OptionSums
  /** Power of all votes: the numerator of the quorum. */
  votingPower: bigint
  /** Whole base units. */
  counts: Record<keyof OptionSums, string>
}

/** The strategies that can be recomputed. */
export type Recomputable = Exclude<TallyStrategy, 'none'>

type CountedPool = {
  state: PoolState
  tokens: bigint
  shares: bigint
  deducted: bigint
  vote: TallyBallot | undefined
  /** The operator's delegation to its own pool: deducted and counted as for any voter, reported as the pool's. */
  own: { power: bigint; sums: OptionSums }
  delegators: { ballots: number; votingPower: bigint; sums: OptionSums }
}

const addPower = (sums: OptionSums, power: bigint, weights: Weights): void =>
  addWeighted(sums, weights, (weight) => mul(power, weight))

/** Power of a delegation: shares · tokens is exact, the quotient by all shares is rounded half-even. */
const computePower = (shares: bigint, pool: CountedPool): bigint =>
  pool.shares === 0n ? 0n : quo(shares * pool.tokens, pool.shares)

const countedPool = (state: PoolState): CountedPool => ({
  state,
  tokens: BigInt(state.tokens),
  shares: parseDecimal(state.delegatorShares),
  deducted: 0n,
  vote: undefined,
  own: { power: 0n, sums: zeroSums() },
  delegators: { ballots: 0, votingPower: 0n, sums: zeroSums() },
})

type Counting = { shares: bigint; options: Weights; isOwn: boolean }

const countDelegation = (pool: CountedPool, { shares, options, isOwn }: Counting): bigint => {
  const power = computePower(shares, pool)
  pool.deducted += shares
  if (isOwn) {
    pool.own.power += power
    addPower(pool.own.sums, power, options)
  } else {
    pool.delegators.ballots += 1
    pool.delegators.votingPower += power
    addPower(pool.delegators.sums, power, options)
  }
  return power
}

/** The remaining power of the pool's vote after the deductions of all voters. */
const computeRest = (pool: CountedPool, strategy: Recomputable): bigint =>
  strategy === 'inherit' ? computePower(pool.shares - pool.deducted, pool) : 0n

const toPoolPart = (pool: CountedPool, strategy: Recomputable): PoolPart => {
  const rest = computeRest(pool, strategy)
  const sums = plus(pool.delegators.sums, pool.own.sums)
  if (pool.vote) addPower(sums, rest, toWeights(pool.vote.options))
  return {
    operatorAddress: pool.state.operatorAddress,
    vote: pool.vote?.options ?? null,
    votingPower: rest + pool.own.power,
    delegators: pool.delegators,
    sums,
  }
}

/** Tallies one ballot at a time, so that a long tally can run in slices. */
export type RunningTally = {
  /** Counts the ballot of one voter; returns the power of each delegation in atto, in order. */
  add(ballot: TallyBallot): bigint[]
  finish(): Tally
}

/** `pools` are all pools, `counted` the bonded ones that the chain walks. */
export const startTally = (
  pools: readonly TallyPool[],
  strategy: Recomputable = 'inherit',
): RunningTally => {
  const counted = new Map<string, CountedPool>()
  const operators = new Map<string, CountedPool>()
  for (const { pool, counted: isCounted } of pools) {
    if (!isCounted) continue
    const entry = countedPool(pool)
    counted.set(pool.operatorAddress, entry)
    operators.set(addressKey(pool.accountAddress), entry)
  }
  return {
    add(ballot) {
      const operated = operators.get(addressKey(ballot.voter))
      if (operated) operated.vote = ballot
      const options = toWeights(ballot.options)
      return ballot.delegations.map(({ operatorAddress, shares }) => {
        const pool = counted.get(operatorAddress)
        if (!pool) return 0n
        const isOwn = pool === operated
        return countDelegation(pool, { shares: parseDecimal(shares), options, isOwn })
      })
    },
    finish: () => sumUp(counted, strategy),
  }
}

/** The tally of one round, from the latest ballot of each voter, independent of order. */
export const tally = (
  pools: readonly TallyPool[],
  ballots: Iterable<TallyBallot>,
  strategy: Recomputable = 'inherit',
): Tally => {
  const running = startTally(pools, strategy)
  for (const ballot of ballots) running.add(ballot)
  return running.finish()
}

const sumUp = (counted: ReadonlyMap<string, CountedPool>, strategy: Recomputable): Tally => {
  const parts = new Map<string, PoolPart>()
  let sums = zeroSums()
  let votingPower = 0n
  for (const [operatorAddress, pool] of counted) {
    const part = toPoolPart(pool, strategy)
    parts.set(operatorAddress, part)
    sums = plus(sums, part.sums)
    votingPower += part.delegators.votingPower + (part.vote ? part.votingPower : 0n)
  }
  const counts = {
    yes: truncate(sums.yes).toString(),
    abstain: truncate(sums.abstain).toString(),
    no: truncate(sums.no).toString(),
    noWithVeto: truncate(sums.noWithVeto).toString(),
  }
  return { pools: parts, sums, votingPower, counts }
}
