// The exact tally of x/gov: every pool's part in units of 1e-18, truncated once per option at the end. A tally can run: a ballot is added
// or removed at the same cost whatever the number of the others, and a pool is replaced. Pure.

import { addressKey } from '../contract/address.ts'
import { mul, parseDecimal, truncate } from '../contract/decimal.ts'
import {
  countShares,
  type Delegation,
  priceHolding,
  priceShares,
  type Rate,
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
  /** Of the voter's address, if it is known already. */
  key?: string
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

type Governed = { governor: string; shares: bigint; options: Weights }

/** What the ballots have in one pool, at its price. */
type Counted = {
  /** Shares that do not vote with the pool. */
  deducted: bigint
  vote: readonly WeightedOption[] | null
  /** The operator's delegation to its own pool: deducted and counted as for any voter, reported as the pool's. */
  own: { power: bigint; sums: OptionSums }
  delegators: PoolPart['delegators']
  /** What owners of the stake of a governor voted with themselves, in shares. */
  deductedOf: Map<string, bigint>
  /** The stake of governors who voted. */
  governed: Governed[]
  /** Delegations with power whatever the status of the pool. */
  withOwnPower: number
}

type Pool = Rate & {
  operatorAddress: string
  /** The key of the operator's account; undefined if the pool is not known: its stake has no power. */
  operator: string | undefined
  isCounted: boolean
  counted: Counted
  /** It has another price than its ballots were counted with: each delegation is rounded separately, so they are counted again. */
  isStale: boolean
}

const countNothing = (): Counted => ({
  deducted: 0n,
  vote: null,
  own: { power: 0n, sums: zeroSums() },
  delegators: { ballots: 0, votingPower: 0n, sums: zeroSums() },
  deductedOf: new Map(),
  governed: [],
  withOwnPower: 0,
})

type Price = Pick<Pool, 'operator' | 'isCounted' | 'tokens' | 'shares'>

const UNKNOWN: Price = { operator: undefined, isCounted: false, tokens: 0n, shares: 0n }

/** Whether each delegation has the same power in both. */
const isSamePrice = (one: Price, other: Price): boolean =>
  one.isCounted === other.isCounted &&
  one.operator === other.operator &&
  (one.shares === 0n) === (other.shares === 0n) &&
  one.tokens * other.shares === other.tokens * one.shares

const addPower = (sums: OptionSums, power: bigint, weights: Weights): void =>
  addWeighted(sums, weights, (weight) => mul(power, weight))

/** What a delegation deducts from its pool, and its power. */
const priceStake = (delegation: Delegation, pool: Price): { shares: bigint; power: bigint } => {
  const holding = readHolding(delegation)
  const hasPower = delegation.source !== GOVERNOR && pool.operator !== undefined
  const power = hasPower ? priceHolding(holding, pool, pool.isCounted) : 0n
  return { shares: countShares(holding, pool), power }
}

type Stake = {
  delegation: Delegation
  /** Whether the voter operates the pool. */
  isOwn: boolean
  options: Weights
  /** Below zero to take them out again. */
  shares: bigint
  power: bigint
}

const addStake = (counted: Counted, { delegation, isOwn, options, shares, power }: Stake): void => {
  const { heir } = delegation
  counted.deducted += shares
  if (heir !== undefined) {
    const key = addressKey(heir)
    counted.deductedOf.set(key, (counted.deductedOf.get(key) ?? 0n) + shares)
  }
  if (isDelegators(delegation, isOwn)) {
    counted.delegators.votingPower += power
    addPower(counted.delegators.sums, power, options)
  } else {
    counted.own.power += power
    addPower(counted.own.sums, power, options)
  }
}

/** The remaining power of the pool's vote after the deductions of all voters. */
const computeRest = (pool: Pool, strategy: Recomputable): bigint =>
  strategy === 'inherit' && pool.isCounted
    ? priceShares(pool.shares - pool.counted.deducted, pool)
    : 0n

/** What a governor votes with in a pool, once all ballots are counted. */
const computeGoverned = (pool: Pool, { governor, shares }: Governed): bigint => {
  const deducted = pool.counted.deductedOf.get(governor) ?? 0n
  return pool.isCounted ? priceShares(shares - deducted, pool) : 0n
}

/** Governors are few: their parts are computed again for the sum over pools. */
const sumRoundingRests = (pools: readonly Pool[]): OptionSums => {
  const governors = new Map<string, { options: Weights; parts: bigint[] }>()
  for (const pool of pools) {
    for (const governed of pool.counted.governed) {
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

const toPoolPart = (pool: Pool, strategy: Recomputable): PoolPart => {
  const { operatorAddress, counted } = pool
  const { vote, own } = counted
  const rest = computeRest(pool, strategy)
  const delegators = { ...counted.delegators, sums: { ...counted.delegators.sums } }
  for (const governed of strategy === 'governors' ? counted.governed : []) {
    const power = computeGoverned(pool, governed)
    delegators.votingPower += power
    addPower(delegators.sums, power, governed.options)
  }
  const sums = plus(delegators.sums, own.sums)
  if (vote) addPower(sums, rest, toWeights(vote))
  return { operatorAddress, vote, votingPower: rest + own.power, delegators, sums }
}

const sumUp = (pools: readonly Pool[], strategy: Recomputable): Tally => {
  const parts = new Map<string, PoolPart>()
  let sums = strategy === 'governors' ? sumRoundingRests(pools) : zeroSums()
  let votingPower = 0n
  for (const pool of pools) {
    const part = toPoolPart(pool, strategy)
    parts.set(part.operatorAddress, part)
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

/** Whether a ballot is added or removed, and in which pools. */
type Change = { sign: 1 | -1; only?: ReadonlySet<Pool> }

/**
 * Tallies one ballot at a time, so that a long tally can run in slices. It costs the same to add or to remove a ballot whatever the
 * number of the others, which it does not keep.
 */
export class RunningTally {
  strategy: Recomputable
  readonly #pools = new Map<string, Pool>()
  /** By the key of the account. */
  readonly #operators = new Map<string, Pool>()
  #ballots = 0

  /** `pools` are all pools, `counted` the bonded ones that the chain walks. */
  constructor(pools: Iterable<TallyPool> = [], strategy: Recomputable = 'inherit') {
    this.strategy = strategy
    for (const pool of pools) this.replace(pool)
  }

  /** Counts the ballot of one voter; returns the power of each delegation in atto, in order. That of a governor's stake is 0. */
  add(ballot: TallyBallot): bigint[] {
    this.#ballots += 1
    return this.#count(ballot, { sign: 1 })
  }

  /** Takes a ballot out again, with the options and the delegations that it was added with. */
  remove(ballot: TallyBallot): void {
    this.#ballots -= 1
    this.#count(ballot, { sign: -1 })
  }

  /** The power of a delegation, in atto. */
  price(delegation: Delegation): bigint {
    return priceStake(delegation, this.#pools.get(delegation.operatorAddress) ?? UNKNOWN).power
  }

  /** Whether it has more shares than its pool: the power of the pool would be below zero. */
  isImpossible(delegation: Delegation): boolean {
    const pool = this.#pools.get(delegation.operatorAddress)
    if (!pool?.isCounted || pool.shares === 0n) return false
    return countShares(readHolding(delegation), pool) > pool.shares
  }

  /** The state of a pool from now on. */
  replace({ pool, counted: isCounted }: TallyPool): void {
    const { tokens, delegatorShares } = pool
    const operator = addressKey(pool.accountAddress)
    const shares = parseDecimal(delegatorShares)
    const price = { operator, isCounted, tokens: BigInt(tokens), shares }
    const known = this.#findPool(pool.operatorAddress)
    if (!isSamePrice(known, price)) {
      Object.assign(known, { counted: countNothing(), isStale: this.#ballots > 0 })
    }
    Object.assign(known, price)
    this.#operators.set(operator, known)
  }

  /** `ballots`: all that count now, if a pool was replaced after the first of them was added. */
  finish(ballots: Iterable<TallyBallot> = []): Tally {
    const pools = [...this.#pools.values()]
    const only = new Set(pools.filter(({ isStale }) => isStale))
    for (const pool of only) pool.isStale = false
    if (only.size > 0) for (const ballot of ballots) this.#count(ballot, { sign: 1, only })
    const counted = pools.filter(
      ({ isCounted, operator, counted: { withOwnPower } }) =>
        isCounted || (operator !== undefined && withOwnPower > 0),
    )
    return sumUp(counted, this.strategy)
  }

  #findPool(operatorAddress: string): Pool {
    const known = this.#pools.get(operatorAddress)
    if (known) return known
    const pool = { operatorAddress, ...UNKNOWN, counted: countNothing(), isStale: false }
    this.#pools.set(operatorAddress, pool)
    return pool
  }

  #count(ballot: TallyBallot, { sign, only }: Change): bigint[] {
    const { voter, key = addressKey(voter), delegations } = ballot
    const options = toWeights(ballot.options)
    const operated = this.#operators.get(key)
    if (operated && (only?.has(operated) ?? !operated.isStale)) {
      operated.counted.vote = sign > 0 ? ballot.options : null
    }
    return delegations.map((delegation, order) => {
      const pool = this.#findPool(delegation.operatorAddress)
      if (only?.has(pool) === false) return 0n
      const { shares, power } = priceStake(delegation, pool)
      if (pool.isStale) return power
      const { counted } = pool
      const isOwn = pool === operated
      if (isFirstAsDelegator(delegations, order, isOwn)) counted.delegators.ballots += sign
      if (delegation.power !== undefined) counted.withOwnPower += sign
      if (delegation.source !== GOVERNOR) {
        const signed = { shares: BigInt(sign) * shares, power: BigInt(sign) * power }
        addStake(counted, { delegation, isOwn, options, ...signed })
      } else if (sign > 0) {
        counted.governed.push({ governor: key, shares, options })
      } else {
        counted.governed = counted.governed.filter(({ governor }) => governor !== key)
      }
      return power
    })
  }
}

/** The tally of one round, from the latest ballot of each voter, independent of order. */
export const tally = (
  pools: readonly TallyPool[],
  ballots: Iterable<TallyBallot>,
  strategy: Recomputable = 'inherit',
): Tally => {
  const running = new RunningTally(pools, strategy)
  for (const ballot of ballots) running.add(ballot)
  return running.finish()
}
