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
import type { TallyStrategy } from '../../ingest/contract/tally-rule.ts'
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

const hasPower = (pool: Pool): boolean => isCounted(pool) && pool.shares > 0n

/** The power of a delegation, in atto; undefined if the pool's state is unknown. */
export const priceDelegation = (
  delegation: Delegation,
  pool: Pool | undefined,
): bigint | undefined => {
  if (delegation.source === GOVERNOR) return 0n
  return pool && priceHolding(readHolding(delegation), pool, hasPower(pool))
}

const asDelegators = ({ votingPower, sums }: Priced): PricedPool =>
  votingPower === 0n
    ? NOTHING
    : { votingPower: 0n, delegatorPower: votingPower, delegators: sums, total: sums }

const addPriced = (to: Priced, more: Priced): void => {
  to.votingPower += more.votingPower
  to.sums = plus(to.sums, more.sums)
}

/** Undefined if the pool's state or the tally rules are unknown. */
const pricePool = (
  entry: Readonly<PoolEntry>,
  pool: Pool | undefined,
  strategy: TallyStrategy,
): PricedPool | undefined => {
  if (!pool || strategy === 'none') return undefined
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

/** The prices of one round; each pool is priced once, for its own row and for the sum. */
export type Pricing = {
  registry: PoolRegistry
  getPrice(entry: Readonly<PoolEntry>): PricedPool | undefined
}

/** An input is missing, or the node counts otherwise. */
const hasNoPrices = ({ isIncomplete, node }: VotingRound): boolean =>
  isIncomplete || isRefuted(node)

/** Valid until the next event is applied. */
export const createPricing = (round: VotingRound, registry: PoolRegistry): Pricing => {
  const { exact } = round
  if (exact) return { registry, getPrice: (entry) => exactPool(exact, entry.operatorAddress) }
  if (hasNoPrices(round)) return { registry, getPrice: () => undefined }
  const prices = new Map<string, PricedPool | undefined>()
  const getPrice = (entry: Readonly<PoolEntry>): PricedPool | undefined => {
    const { operatorAddress } = entry
    const known = prices.get(operatorAddress)
    if (known) return known
    const priced = pricePool(entry, registry.pool(operatorAddress), registry.strategy)
    prices.set(operatorAddress, priced)
    return priced
  }
  return { registry, getPrice }
}

/** What the split votes of governors have beyond their pools, as in the tally. */
const sumRoundingRests = (round: VotingRound, registry: PoolRegistry): OptionSums => {
  const parts = new Map<Voting, bigint[]>()
  for (const { operatorAddress, governed } of round.entries.values()) {
    const pool = governed && registry.pool(operatorAddress)
    if (!pool || !hasPower(pool)) continue
    for (const { ballot, power } of governed.powersAt(pool)) {
      if (ballot.weights.length > 1) parts.set(ballot, [...(parts.get(ballot) ?? []), power])
    }
  }
  let rests = zeroSums()
  for (const [{ weights }, powers] of parts) rests = plus(rests, findRoundingRest(powers, weights))
  return rests
}

/** Undefined if any pool's part is undefined. */
export const priceRound = (
  round: VotingRound,
  { getPrice, registry }: Pricing,
): OptionSums | undefined => {
  if (round.exact) return round.exact.tally.sums
  if (hasNoPrices(round)) return undefined
  let sum = registry.strategy === 'governors' ? sumRoundingRests(round, registry) : zeroSums()
  for (const entry of round.entries.values()) {
    const priced = getPrice(entry)
    if (!priced) return undefined
    sum = plus(sum, priced.total)
  }
  return sum
}
