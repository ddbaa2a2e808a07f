// Prices each pool's part in a voting round with current tokens and shares, as the chain's tally would. No part of it is below zero, no
// pool above its own tokens, and no power above the bonded total: an impossible number is not served, and the tally has the reason.
import { ATTO, mul } from '../../ingest/contract/decimal.ts'
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
  const { votingPower, delegators, sums: total } = part
  return { votingPower, delegatorPower: delegators.votingPower, delegators: delegators.sums, total }
}

/** An input is missing, or the node counts otherwise. A vote without ballots needs no prices. */
const hasNoPrices = ({ isIncomplete, node, registry, ballots, entries }: VotingRound): boolean =>
  isIncomplete || isRefuted(node) || (ballots.size + entries.size > 0 && !hasPrices(registry))

/** The tally of the ballots that count, with the stake and the pools of the last readings. */
const computeTally = ({ ballots, registry }: VotingRound): Tally => {
  const pools = [...registry.pools()].map((pool) => ({ pool: pool.state, counted: hasPower(pool) }))
  const counted = [...ballots.values()].map(({ voter, options, delegations, impossible }) => ({
    voter,
    options,
    delegations: impossible === null ? (delegations ?? []) : [],
  }))
  return tally(pools, counted, registry.strategy as Recomputable)
}

/** The sums of a round, and the power of all its votes: the numerator of the quorum. In atto. */
export type RoundPrice = { sums: OptionSums; votingPower: bigint }

const hasNegative = ({ yes, abstain, no, noWithVeto }: OptionSums): boolean =>
  yes < 0n || abstain < 0n || no < 0n || noWithVeto < 0n

/** Each delegation is rounded: a sum may exceed the total by less than one base unit. */
const isAbove = (atto: bigint, units: bigint): boolean => atto >= (units + 1n) * ATTO

/** The weights of a vote may add up to any number: only powers have a limit. A tally has the pools of its own height. */
const findPoolProblem = (
  { tally, registry }: VotingRound,
  { operatorAddress, ownVote }: Readonly<PoolEntry>,
  { votingPower, delegatorPower, delegators, total }: PricedPool,
): string | undefined => {
  if (votingPower < 0n) return 'its deductions exceed its power'
  if (delegatorPower < 0n || hasNegative(delegators) || hasNegative(total)) {
    return 'a part of it is below zero'
  }
  const tokens = tally ? undefined : registry.pool(operatorAddress)?.tokens
  const power = delegatorPower + (ownVote ? votingPower : 0n)
  const isTooMuch = tokens !== undefined && isAbove(power, tokens)
  return isTooMuch ? 'its part is more than its tokens' : undefined
}

const findSumProblem = (
  { tally, registry }: VotingRound,
  { sums, votingPower }: RoundPrice,
): string | undefined => {
  if (hasNegative(sums)) return 'a sum is below zero'
  const bonded = tally ? null : registry.bondedTokens
  const isTooMuch = bonded !== null && isAbove(votingPower, BigInt(bonded))
  return isTooMuch ? 'the sum is more than all bonded tokens' : undefined
}

/** The prices of one round. A part or a sum that is not known, or not possible, is left out. */
export type Pricing = {
  /** By operator address. */
  parts: ReadonlyMap<string, PricedPool>
  sum: RoundPrice | undefined
  /** Why a pool's part, or the sum of all, is not possible; undefined if all are. */
  problem: string | undefined
}

/** Of stake in other modules and of governors there are no sums: it is tallied again. */
export function priceRound(round: VotingRound): Pricing {
  const parts = new Map<string, PricedPool>()
  if (!round.tally && hasNoPrices(round)) return { parts, sum: undefined, problem: undefined }
  const known = round.tally ?? (round.hasSums ? undefined : computeTally(round))
  let sum: RoundPrice = { sums: zeroSums(), votingPower: 0n }
  let problem: string | undefined
  for (const entry of round.entries.values()) {
    const { operatorAddress, ownVote } = entry
    const part = known ? talliedPool(known, operatorAddress) : pricePool(entry, round.registry)
    const power = part.delegatorPower + (ownVote ? part.votingPower : 0n)
    sum = { sums: plus(sum.sums, part.total), votingPower: sum.votingPower + power }
    const found = findPoolProblem(round, entry, part)
    if (found) problem ??= `the numbers of pool ${operatorAddress} are impossible: ${found}`
    else parts.set(operatorAddress, part)
  }
  if (known) sum = { sums: known.sums, votingPower: known.votingPower }
  const found = findSumProblem(round, sum)
  if (found) problem ??= `the live tally is impossible: ${found}`
  return { parts, sum: problem === undefined ? sum : undefined, problem }
}
