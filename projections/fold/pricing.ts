// Prices each pool's part in a voting round with current tokens and shares, as the chain's tally would.

import { mul } from '../../ingest/contract/decimal.ts'
import {
  type Delegation,
  isCounted,
  priceHolding,
  priceShares,
  readHolding,
} from '../../ingest/contract/delegation.ts'
import type { OptionSums } from '../../ingest/contract/option-sums.ts'
import { addWeighted, plus, zeroSums } from '../../ingest/tally/option-sums.ts'
import { GOVERNOR, type Recomputable, type Tally, tally } from '../../ingest/tally/tally.ts'
import type { PoolEntry } from './ballot.ts'
import { isRefuted } from './node-tally.ts'
import type { Pool, PoolRegistry } from './pool-registry.ts'
import type { VotingRound } from './voting-round.ts'

/** All in atto. */
export type PricedPool = {
  /** The power of the pool's own vote after deductions; also set if it did not vote. */
  votingPower: bigint
  delegatorPower: bigint
  delegators: OptionSums
  total: OptionSums
}

const NOTHING: PricedPool = {
  votingPower: 0n,
  delegatorPower: 0n,
  delegators: zeroSums(),
  total: zeroSums(),
}

/** The part of a pool that prices depend on. */
type PricedState = Pick<Pool, 'tokens' | 'shares' | 'status' | 'jailed' | 'counted'>

const hasPower = (pool: PricedState): boolean => isCounted(pool) && pool.shares > 0n

/** A pool that is not among all pools does not exist. */
const NO_POOL = {
  tokens: 0n,
  shares: 0n,
  status: 'unbonded',
  jailed: false,
  counted: true,
} as const

const findPool = (registry: PoolRegistry, operatorAddress: string): PricedState =>
  registry.pool(operatorAddress) ?? NO_POOL

/** Whether the pools and the tally rules are known. */
const hasPrices = ({ hasAllPools, strategy }: PoolRegistry): boolean =>
  hasAllPools && strategy !== undefined && strategy !== 'none'

/** The power of a delegation, in atto; undefined if the pools or the tally rules are unknown. */
export const priceDelegation = (
  delegation: Delegation,
  registry: PoolRegistry,
): bigint | undefined => {
  if (!hasPrices(registry)) return undefined
  if (delegation.source === GOVERNOR) return 0n
  const pool = findPool(registry, delegation.operatorAddress)
  return priceHolding(readHolding(delegation), pool, hasPower(pool))
}

/** From the sums of its ballots, on a chain where all stake is in x/staking. */
const pricePool = (entry: Readonly<PoolEntry>, registry: PoolRegistry): PricedPool => {
  const pool = findPool(registry, entry.operatorAddress)
  if (!hasPower(pool)) return NOTHING
  const { ownVote, ownShares, delegators } = entry
  const { votingPower: delegatorPower, sums } = delegators.priceAt(pool)
  // x/gov counts the operator's own delegation like any voter's, and rounds it separately.
  const own = priceShares(ownShares, pool)
  const isInherited = registry.strategy === 'inherit'
  const rest = isInherited ? priceShares(pool.shares - delegators.shares - ownShares, pool) : 0n
  const total = { ...sums }
  for (const power of ownVote ? [own, rest] : []) {
    addWeighted(total, ownVote?.weights ?? [], (weight) => mul(power, weight))
  }
  return { votingPower: own + rest, delegatorPower, delegators: sums, total }
}

/** As the tally counted it; pools outside of the tally have no part. */
const talliedPool = (tally: Tally, operatorAddress: string): PricedPool => {
  const part = tally.pools.get(operatorAddress)
  if (!part) return NOTHING
  const { votingPower, delegators, sums } = part
  return {
    votingPower,
    delegatorPower: delegators.votingPower,
    delegators: delegators.sums,
    total: sums,
  }
}

/** The sums of a round, and the power of all its votes: the numerator of the quorum. In atto. */
export type RoundPrice = { sums: OptionSums; votingPower: bigint }

/** The prices of one round; each pool is priced once, for its own row and for the sum. */
export type Pricing = {
  /** Both are undefined if a number is not known. */
  getPrice(entry: Readonly<PoolEntry>): PricedPool | undefined
  getSum(): RoundPrice | undefined
}

/** An input is missing, or the node counts otherwise. A vote without ballots needs no prices. */
const hasNoPrices = ({ isIncomplete, node, registry, ballots, entries }: VotingRound): boolean =>
  isIncomplete || isRefuted(node) || (ballots.size + entries.size > 0 && !hasPrices(registry))

const sumPools = (
  round: VotingRound,
  getPrice: (entry: Readonly<PoolEntry>) => PricedPool,
): RoundPrice => {
  let sums = zeroSums()
  let votingPower = 0n
  for (const entry of round.entries.values()) {
    const priced = getPrice(entry)
    sums = plus(sums, priced.total)
    votingPower += priced.delegatorPower + (entry.ownVote ? priced.votingPower : 0n)
  }
  return { sums, votingPower }
}

/** The tally of the ballots that count, with the stake and the pools of the last readings. */
const computeTally = ({ ballots, registry }: VotingRound, strategy: Recomputable): Tally => {
  const pools = [...registry.pools()].map((pool) => ({ pool: pool.state, counted: hasPower(pool) }))
  const counted = [...ballots.values()].map(({ voter, options, delegations, impossible }) => ({
    voter,
    options,
    delegations: impossible === null ? (delegations ?? []) : [],
  }))
  return tally(pools, counted, strategy)
}

const fromTally = (known: Tally): Pricing => ({
  getPrice: ({ operatorAddress }) => talliedPool(known, operatorAddress),
  getSum: () => ({ sums: known.sums, votingPower: known.votingPower }),
})

/** Valid until the next event is applied. Of stake in other modules and of governors there are no sums: it is tallied again. */
export function createPricing(round: VotingRound): Pricing {
  const { registry } = round
  const { strategy } = registry
  if (round.tally) return fromTally(round.tally)
  if (hasNoPrices(round)) return { getPrice: () => undefined, getSum: () => undefined }
  if (!round.hasSums && strategy && strategy !== 'none') {
    return fromTally(computeTally(round, strategy))
  }
  const prices = new Map<string, PricedPool>()
  const getPrice = (entry: Readonly<PoolEntry>): PricedPool => {
    const { operatorAddress } = entry
    const known = prices.get(operatorAddress)
    if (known) return known
    const priced = pricePool(entry, registry)
    prices.set(operatorAddress, priced)
    return priced
  }
  return { getPrice, getSum: () => sumPools(round, getPrice) }
}
