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
import { addWeighted, findRoundingRest, plus, zeroSums } from '../../ingest/tally/option-sums.ts'
import { GOVERNOR } from '../../ingest/tally/tally.ts'
import type { PoolEntry } from './ballot.ts'
import type { Priced } from './delegator-sums.ts'
import type { ExactTally } from './exact-tally.ts'
import type { Voting } from './governed-stake.ts'
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

const asDelegators = ({ votingPower, sums }: Priced): PricedPool =>
  votingPower === 0n
    ? NOTHING
    : { votingPower: 0n, delegatorPower: votingPower, delegators: sums, total: sums }

const addPriced = (to: Priced, more: Priced): void => {
  to.votingPower += more.votingPower
  to.sums = plus(to.sums, more.sums)
}

const pricePool = (entry: Readonly<PoolEntry>, registry: PoolRegistry): PricedPool => {
  const { strategy } = registry
  const pool = findPool(registry, entry.operatorAddress)
  const { ownVote, ownShares, delegators, governed } = entry
  const counts = hasPower(pool)
  const priced = delegators.priceAt(pool, counts)
  if (!counts) return asDelegators(priced)
  if (governed && strategy === 'governors') addPriced(priced, governed.priceAt(pool))
  // x/gov counts the operator's own delegation like any voter's, and rounds it separately.
  const own = priceShares(ownShares, pool)
  const rest = strategy === 'inherit' ? pool.shares - priced.shares - ownShares : 0n
  const inherited = priceShares(rest, pool)
  const total = { ...priced.sums }
  for (const power of ownVote ? [own, inherited] : []) {
    addWeighted(total, ownVote?.weights ?? [], (weight) => mul(power, weight))
  }
  return {
    votingPower: own + inherited,
    delegatorPower: priced.votingPower,
    delegators: priced.sums,
    total,
  }
}

/** As the tally counted it; pools outside of the tally have no part. */
const exactPool = ({ tally }: ExactTally, operatorAddress: string): PricedPool => {
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

/** What the split votes of governors have beyond their pools, as in the tally. */
const sumRoundingRests = ({ entries, registry }: VotingRound): OptionSums => {
  const parts = new Map<Voting, bigint[]>()
  for (const { operatorAddress, governed } of entries.values()) {
    const pool = governed && registry.pool(operatorAddress)
    if (!pool || !hasPower(pool)) continue
    for (const { ballot, power } of governed.powersAt(pool)) {
      parts.set(ballot, [...(parts.get(ballot) ?? []), power])
    }
  }
  let rests = zeroSums()
  for (const [{ weights }, powers] of parts) rests = plus(rests, findRoundingRest(powers, weights))
  return rests
}

const sumPools = (
  round: VotingRound,
  getPrice: (entry: Readonly<PoolEntry>) => PricedPool,
): RoundPrice => {
  const { entries, registry } = round
  let sums = registry.strategy === 'governors' ? sumRoundingRests(round) : zeroSums()
  let votingPower = 0n
  for (const entry of entries.values()) {
    const priced = getPrice(entry)
    sums = plus(sums, priced.total)
    votingPower += priced.delegatorPower + (entry.ownVote ? priced.votingPower : 0n)
  }
  return { sums, votingPower }
}

/**
 * A cache of the tally of the ballots that count, with the stake and the pools of the last readings. Valid until the next event is
 * applied.
 */
export function createPricing(round: VotingRound): Pricing {
  const { exact, registry } = round
  if (exact) {
    const { sums, votingPower } = exact.tally
    return {
      getPrice: ({ operatorAddress }) => exactPool(exact, operatorAddress),
      getSum: () => ({ sums, votingPower }),
    }
  }
  if (hasNoPrices(round)) return { getPrice: () => undefined, getSum: () => undefined }
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
