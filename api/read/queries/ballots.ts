// Reads the ballots of one vote and their number, and converts their rows. Without a filter the cost does not depend on the number of ballots.
import { parseDecimal } from '../../../ingest/contract/decimal.ts'
import { isCounted, priceHolding, readHolding } from '../../../ingest/contract/delegation.ts'
import type { PoolRow } from '../../../projections/contract/tables/pools.ts'
import type { BallotRow, PricedDelegation } from '../../../projections/contract/tables/votes.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import type { Ballot } from '../../schemas/ballot.ts'
import { createInnerQuery, proposalVersion, type Query } from '../query.ts'
import {
  buildLatestTable,
  buildVersionsTable,
  requireConsistent,
  type StoreReads,
  selectFrom,
  selectLatest,
  selectRows,
} from './as-of.ts'
import { formatPower, formatTimestamp, toReason } from './values.ts'
import type { RankRange } from './votes.ts'

export type PricingPool = Pick<
  PoolRow,
  'tokens' | 'delegatorShares' | 'status' | 'jailed' | 'counted'
>

/** Pools by operator address for an open vote; undefined after the tally. */
export type Prices = ReadonlyMap<string, PricingPool> | undefined

/** In atto; null if the state of the pool is unknown. Only pools that count have power. */
const computePower = (shares: string, pool: PricingPool | undefined): bigint | null => {
  if (!pool) return null
  const rate = { tokens: pool.tokens, shares: parseDecimal(pool.delegatorShares) }
  return priceHolding(readHolding({ shares }), rate, isCounted(pool))
}

const computeDelegationPower = (delegation: PricedDelegation, prices: Prices): bigint | null => {
  const { operatorAddress: operator, shares, votingPower: talliedPower } = delegation
  if (talliedPower !== null) return talliedPower
  return prices ? computePower(shares, prices.get(operator)) : null
}

const sumPowers = (powers: readonly (bigint | null)[]): bigint | null => {
  let sum = 0n
  for (const power of powers) {
    if (power === null) return null
    sum += power
  }
  return sum
}

/** The power in the tally, or the current power; null if a part of it is unknown. */
const computeTotalPower = (row: BallotRow, powers: readonly (bigint | null)[]): bigint | null => {
  if (row.votingPower !== null) return row.votingPower
  return row.delegationsKnown && row.counted ? sumPowers(powers) : null
}

export const toBallot = (row: BallotRow, prices: Prices): Ballot => {
  const powers = row.delegations.map((delegation) => computeDelegationPower(delegation, prices))
  const isPriced = prices !== undefined || row.votingPower !== null
  return {
    voter: row.voter,
    options: [...row.options],
    counted: row.counted,
    height: row.height,
    time: formatTimestamp(row.time),
    txHash: row.txHash,
    reason: toReason(row.metadata, row.memo),
    votingPower: isPriced ? formatPower(computeTotalPower(row, powers)) : null,
    delegations: row.delegationsKnown
      ? row.delegations.map(({ operatorAddress, shares }, order) => ({
          operatorAddress,
          shares,
          votingPower: formatPower(powers[order] ?? null),
        }))
      : null,
  }
}

type Vote = Pick<RankRange, 'proposalId' | 'round'>

/** A ballot must match all of them. */
export type BallotFilter = {
  /** Of the address of the voter. */
  voterKey?: string | undefined
  /** Also a part of a split vote. */
  option?: string | undefined
  /** The operator address of a pool: its delegators. */
  delegatedTo?: string | undefined
}

/** By first appearance, or by voting power with the largest first. An open vote needs `prices`. */
export type BallotOrder = { by: 'rank' } | { by: 'power'; prices: Prices }

export type BallotRange = Vote & {
  filter: BallotFilter
  order: BallotOrder
  /** Only ballots from this rank on. */
  fromRank?: number | undefined
  offset: number
  limit: number
}

const IN_VOTE = 'proposal_id = {id:UInt64} AND round = {round:UInt16}'

const RANK = TABLES.ballots.select(['proposalId', 'rank', 'version'])

/**
 * The number of ranks. They have no gaps, so the last rank is enough, which is at the end of a range of the primary key.
 * Ballots outside the state of the chain have ranks too.
 */
export const countRanks = async (
  reads: StoreReads,
  { proposalId, round }: Vote,
): Promise<number> => {
  const { snapshot } = reads
  const [last] = await selectFrom(
    reads,
    RANK,
    `${buildVersionsTable(snapshot, TABLES.ballots)}
     WHERE ${IN_VOTE}
     ORDER BY proposal_id DESC, round DESC, rank DESC LIMIT 1`,
    { id: proposalId, round },
  )
  if (!last) return 0
  requireConsistent([last], snapshot)
  return last.rank + 1
}

/** Whether a version of a ballot is outside the state of the chain. An index of blocks has them. */
export const ballotsOutsideState = ({ proposalId, round }: Vote): Query<boolean> =>
  createInnerQuery({
    name: `ballots outside the state, ${proposalId}/${round}`,
    proposalId,
    version: proposalVersion(proposalId),
    read: async (reads) => {
      const rows = await selectRows<{ rank: number }>(
        reads,
        `SELECT rank FROM ${buildVersionsTable(reads.snapshot, TABLES.ballots)}
         WHERE ${IN_VOTE} AND in_state = false LIMIT 1`,
        { id: proposalId, round },
      )
      return { value: rows.length > 0 }
    },
  })

/** Rows with `from` ≤ rank < `to`, in order of rank. */
export const readBallots = async (
  reads: StoreReads,
  { proposalId, round, from, to }: RankRange,
): Promise<BallotRow[]> => {
  const inRange = `${IN_VOTE} AND rank >= {from:UInt32} AND rank < {to:UInt32} AND in_state`
  const rows = await selectLatest(
    reads,
    TABLES.ballots,
    TABLES.ballots.all,
    `WHERE ${inRange} ORDER BY rank`,
    { id: proposalId, round, from, to },
  )
  requireConsistent(rows, reads.snapshot)
  return rows
}

const buildFilter = ({ voterKey, option, delegatedTo }: BallotFilter): string =>
  [
    'in_state',
    ...(voterKey === undefined ? [] : ['voter_key = {voterKey:String}']),
    ...(option === undefined ? [] : ['has(options.option, {option:String})']),
    ...(delegatedTo === undefined
      ? []
      : ['has(delegations.operator_address, {delegatedTo:String})']),
  ].join(' AND ')

/** The order is that of exact powers, except for differences beyond the precision of a double. */
const CURRENT_POWER = `if(counted AND delegations_known, arraySum(
    d -> toFloat64(d.shares) * transform(d.operator_address, {operators:Array(String)}, {prices:Array(Float64)}, 0.),
    delegations), NULL)`

/** Tokens per share. Only pools that count have power. */
const toPrice = (pool: PricingPool): number => {
  const [tokens, shares] = [Number(pool.tokens), Number(pool.delegatorShares)]
  return isCounted(pool) && shares > 0 ? tokens / shares : 0
}

const buildOrder = (order: BallotOrder): { columns: string; params: object } => {
  if (order.by === 'rank') return { columns: 'rank', params: {} }
  const pools = [...(order.prices ?? [])]
  const power = pools.length === 0 ? 'voting_power_atto' : CURRENT_POWER
  const operators = pools.map(([operator]) => operator)
  const prices = pools.map(([, pool]) => toPrice(pool))
  return { columns: `${power} DESC NULLS LAST, rank`, params: { operators, prices } }
}

/** The ballots of a voter are a range of the primary key of their own table. */
const chooseTable = ({ voterKey }: BallotFilter) =>
  voterKey === undefined ? TABLES.ballots : TABLES.ballots.copies.ballotsByVoter

/** Reads few columns of the whole vote, and the rows of the page alone. */
export const searchBallots = async (
  reads: StoreReads,
  { proposalId, round, filter, order, fromRank = 0, offset, limit }: BallotRange,
): Promise<{ rows: BallotRow[]; total: number }> => {
  const { snapshot } = reads
  const table = buildLatestTable(snapshot, chooseTable(filter))
  const isFound = buildFilter(filter)
  const { columns, params: priced } = buildOrder(order)
  const params = { ...filter, ...priced, id: proposalId, round, fromRank, offset, limit }
  const given = Object.fromEntries(
    Object.entries(params).filter(([, value]) => value !== undefined),
  )
  const inVote =
    filter.voterKey === undefined ? IN_VOTE : `voter_key = {voterKey:String} AND ${IN_VOTE}`
  const rows = await selectFrom(
    reads,
    TABLES.ballots.all,
    `${table}
     WHERE ${inVote} AND rank IN (
       SELECT rank FROM ${table} WHERE ${inVote} AND ${isFound} AND rank >= {fromRank:UInt32}
       ORDER BY ${columns} LIMIT {limit:UInt64} OFFSET {offset:UInt64}
     ) ORDER BY ${columns}`,
    given,
  )
  // A replaced row may no longer match the filter. Only this count detects it, if it runs after the other query.
  const [count] = await selectRows<{ total: string; latest: string }>(
    reads,
    `SELECT countIf(${isFound}) AS total, max(version) AS latest FROM ${table} WHERE ${inVote}`,
    given,
  )
  const latest = { proposalId, version: BigInt(count?.latest ?? 0) }
  requireConsistent([...rows, latest], snapshot)
  return { rows, total: Number(count?.total ?? 0) }
}
