// The exact tally of x/gov: every pool's part in units of 1e-18, truncated once per option at the end. Pure.

import { addressKey } from '../contract/address.ts'
import { mul, parseDecimal, truncate } from '../contract/decimal.ts'
import {
  countShares,
  type Delegation,
  priceHolding,
  priceShares,
  readHolding,
} from '../contract/delegation.ts'
import type { PoolState, WeightedOption } from '../contract/facts.ts'
import type { OptionSums } from '../contract/option-sums.ts'
import type { TallyStrategy } from '../contract/tally-rule.ts'
import {
  addWeighted,
  findRoundingRest,
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
  /** With the stake that governors vote with. */
  delegators: { ballots: number; votingPower: bigint; sums: OptionSums }
  sums: OptionSums
}

export type Tally = {
  pools: ReadonlyMap<string, PoolPart>
  /** Of all pools. A split vote of a governor is rounded once over its pools: it may have some atto more or less than they. */
  sums: OptionSums
  /** Power of all votes: the numerator of the quorum. */
  votingPower: bigint
  /** Whole base units. */
  counts: OptionSums<string>
}

/** The strategies that can be recomputed. */
export type Recomputable = Exclude<TallyStrategy, 'none'>

/** The source of stake that a governor votes with unless its owners do. */
export const GOVERNOR = 'governor'

/** Without the stake that the account only votes with. */
export const ownDelegations = <Entry extends Delegation>(delegations: readonly Entry[]): Entry[] =>
  delegations.filter(({ source }) => source !== GOVERNOR)

type Governed = { governor: string; shares: bigint; options: Weights }

type CountedPool = {
  state: PoolState
  /** False for a pool with stake that counts whatever its status. */
  isCounted: boolean
  tokens: bigint
  shares: bigint
  deducted: bigint
  vote: TallyBallot | undefined
  /** The operator's delegation to its own pool: deducted and counted as for any voter, reported as the pool's. */
  own: { power: bigint; sums: OptionSums }
  delegators: { ballots: number; votingPower: bigint; sums: OptionSums }
  /** What owners of the stake of a governor voted with themselves, in shares. */
  deductedOf: Map<string, bigint>
  /** The stake of governors who voted. */
  governed: Governed[]
}

/** Only the operator's delegation in x/staking is the pool's own, and a governor does not own what it votes with. */
const isDelegators = ({ source }: Delegation, isOwn: boolean): boolean =>
  source === undefined ? !isOwn : source !== GOVERNOR

/** Whether a delegation is the first with which its owner votes as a delegator of its pool. `isOwn`: the owner operates the pool. */
export const isFirstAsDelegator = (
  delegations: readonly Delegation[],
  order: number,
  isOwn: boolean,
): boolean => {
  const delegation = delegations[order]
  if (!delegation || !isDelegators(delegation, isOwn)) return false
  // One pool has at most one delegation in x/staking, before those of other modules.
  if (delegation.source === undefined) return true
  const { operatorAddress } = delegation
  return !delegations
    .slice(0, order)
    .some((each) => each.operatorAddress === operatorAddress && isDelegators(each, isOwn))
}

const addPower = (sums: OptionSums, power: bigint, weights: Weights): void =>
  addWeighted(sums, weights, (weight) => mul(power, weight))

const countedPool = (state: PoolState, isCounted: boolean): CountedPool => ({
  state,
  isCounted,
  tokens: BigInt(state.tokens),
  shares: parseDecimal(state.delegatorShares),
  deducted: 0n,
  vote: undefined,
  own: { power: 0n, sums: zeroSums() },
  delegators: { ballots: 0, votingPower: 0n, sums: zeroSums() },
  deductedOf: new Map(),
  governed: [],
})

const addDelegator = (pool: CountedPool, power: bigint, options: Weights): void => {
  pool.delegators.votingPower += power
  addPower(pool.delegators.sums, power, options)
}

type Counting = { delegation: Delegation; options: Weights; voter: string; isOwn: boolean }

const countDelegation = (pool: CountedPool, counting: Counting): bigint => {
  const { delegation, options, voter, isOwn } = counting
  const { source, heir } = delegation
  const holding = readHolding(delegation)
  const shares = countShares(holding, pool)
  if (source === GOVERNOR) {
    pool.governed.push({ governor: addressKey(voter), shares, options })
    return 0n
  }
  const power = priceHolding(holding, pool, pool.isCounted)
  pool.deducted += shares
  if (heir !== undefined) {
    const key = addressKey(heir)
    pool.deductedOf.set(key, (pool.deductedOf.get(key) ?? 0n) + shares)
  }
  if (isDelegators(delegation, isOwn)) addDelegator(pool, power, options)
  else {
    pool.own.power += power
    addPower(pool.own.sums, power, options)
  }
  return power
}

/** The remaining power of the pool's vote after the deductions of all voters. */
const computeRest = (pool: CountedPool, strategy: Recomputable): bigint =>
  strategy === 'inherit' && pool.isCounted ? priceShares(pool.shares - pool.deducted, pool) : 0n

/** What a governor votes with in a pool, once all ballots are counted. */
const computeGoverned = (pool: CountedPool, { governor, shares }: Governed): bigint =>
  pool.isCounted ? priceShares(shares - (pool.deductedOf.get(governor) ?? 0n), pool) : 0n

/** Governors are few: their parts are computed again for the sum over pools. */
const sumRoundingRests = (pools: Iterable<CountedPool>): OptionSums => {
  const governors = new Map<string, { options: Weights; parts: bigint[] }>()
  for (const pool of pools) {
    for (const governed of pool.governed) {
      const { governor, options } = governed
      const { parts } = governors.get(governor) ?? { parts: [] }
      governors.set(governor, { options, parts: [...parts, computeGoverned(pool, governed)] })
    }
  }
  let rests = zeroSums()
  for (const { options, parts } of governors.values()) {
    rests = plus(rests, findRoundingRest(parts, options))
  }
  return rests
}

const toPoolPart = (pool: CountedPool, strategy: Recomputable): PoolPart => {
  const rest = computeRest(pool, strategy)
  for (const governed of strategy === 'governors' ? pool.governed : []) {
    addDelegator(pool, computeGoverned(pool, governed), governed.options)
  }
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
  /** Counts the ballot of one voter; returns the power of each delegation in atto, in order. That of a governor's stake is 0. */
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
  const others = new Map<string, PoolState>()
  for (const { pool, counted: isCounted } of pools) {
    if (!isCounted) {
      others.set(pool.operatorAddress, pool)
      continue
    }
    const entry = countedPool(pool, true)
    counted.set(pool.operatorAddress, entry)
    operators.set(addressKey(pool.accountAddress), entry)
  }
  const findPool = ({ operatorAddress, power }: Delegation): CountedPool | undefined => {
    const found = counted.get(operatorAddress)
    const other = found || power === undefined ? undefined : others.get(operatorAddress)
    if (!other) return found
    const entry = countedPool(other, false)
    counted.set(operatorAddress, entry)
    return entry
  }
  return {
    add(ballot) {
      const { voter } = ballot
      const operated = operators.get(addressKey(voter))
      if (operated) operated.vote = ballot
      const options = toWeights(ballot.options)
      return ballot.delegations.map((delegation, order) => {
        const pool = findPool(delegation)
        if (!pool) return 0n
        const isOwn = pool === operated
        if (isFirstAsDelegator(ballot.delegations, order, isOwn)) pool.delegators.ballots += 1
        return countDelegation(pool, { delegation, options, voter, isOwn })
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
  let sums = strategy === 'governors' ? sumRoundingRests(counted.values()) : zeroSums()
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
