// Prices each pool's part in a voting round with current tokens and shares, as the chain's tally would.

import { mul } from '../../ingest/contract/decimal.ts'
import type { TallyStrategy } from '../../ingest/contract/facts.ts'
import { addWeighted, type OptionSums, plus, zeroSums } from '../../ingest/tally/option-sums.ts'
import type { PoolEntry } from './ballot.ts'
import { computePower } from './delegator-sums.ts'
import type { ExactTally } from './exact-tally.ts'
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

/** A tally counts only bonded pools that are not jailed. */
const isCounted = (pool: Pool): boolean =>
  pool.status === 'bonded' && !pool.jailed && pool.shares > 0n

/** The power of shares (atto), in atto; undefined if the pool's state is unknown. */
export const priceShares = (shares: bigint, pool: Pool | undefined): bigint | undefined => {
  if (!pool) return undefined
  return isCounted(pool) ? computePower(shares, pool) : 0n
}

/** Undefined if the pool's state or the tally rules are unknown. */
const pricePool = (
  entry: Readonly<PoolEntry>,
  pool: Pool | undefined,
  strategy: TallyStrategy,
): PricedPool | undefined => {
  if (!pool || strategy === 'none') return undefined
  if (!isCounted(pool)) return NOTHING
  const { ownVote, ownShares, delegators } = entry
  const priced = delegators.priceAt(pool)
  // x/gov counts the operator's own delegation like any voter's, and rounds it separately.
  const own = computePower(ownShares, pool)
  const rest = strategy === 'inherit' ? pool.shares - delegators.shares - ownShares : 0n
  const inherited = computePower(rest, pool)
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

/** Valid until the next event is applied. */
export const createPricing = (round: VotingRound, registry: PoolRegistry): Pricing => {
  const { exact } = round
  if (exact) return { registry, getPrice: (entry) => exactPool(exact, entry.operatorAddress) }
  if (round.isIncomplete) return { registry, getPrice: () => undefined }
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

/** Undefined if any pool's part is undefined. */
export const priceRound = (round: VotingRound, { getPrice }: Pricing): OptionSums | undefined => {
  if (round.exact) return round.exact.tally.sums
  if (round.isIncomplete) return undefined
  let sum = zeroSums()
  for (const entry of round.entries.values()) {
    const priced = getPrice(entry)
    if (!priced) return undefined
    sum = plus(sum, priced.total)
  }
  return sum
}
