// Pools as they are now: their states for pricing, and all of them with their records, most tokens first.
import { type PoolRow, TABLE } from '../../projections/contract/read-model.ts'
import type { Served } from '../served/served.ts'
import type { PricingPool } from './ballot-rows.ts'
import { isServed, latestOf, READ_OPTIONS, type Reading, versionsOf } from './read.ts'

export type PoolPrices = { prices: ReadonlyMap<string, PricingPool>; isSettled: boolean }

/** There are hundreds of pools where there are millions of ballots: all are read at once. */
export const readPoolPrices = async ({ store, served }: Reading): Promise<PoolPrices> => {
  const rows = await store.select<PricingPool & { operator_address: string; version: string }>(
    `SELECT operator_address, tokens, delegator_shares, status, jailed, version
     FROM ${latestOf(served, TABLE.pools)}`,
    {},
    READ_OPTIONS,
  )
  const isSettled = rows.every(({ version }) => isServed(served, version))
  return { prices: new Map(rows.map((row) => [row.operator_address, row])), isSettled }
}

export type ListedPool = Omit<PoolRow, 'delegator_shares'>
export type PoolCounts = { voted: number; missed: number }

type CountRow = { operator_address: string; voted: string; missed: string; latest: string }

/** A proposal on which a pool voted in any round is not missed, whatever its other rounds had. */
const COUNTS = (served: Served, which = '') => `
  SELECT operator_address, countIf(did) AS voted, countIf(NOT did) AS missed, max(latest) AS latest
  FROM (
    SELECT operator_address, proposal_id, max(voted) AS did, max(version) AS latest
    FROM (
      SELECT operator_address, proposal_id, voted, version
      FROM ${latestOf(served, TABLE.votesByPool)} WHERE voted ${which}
      UNION ALL
      SELECT operator_address, proposal_id, false AS voted, version
      FROM ${latestOf(served, TABLE.missedVotes)} WHERE true ${which}
    )
    GROUP BY operator_address, proposal_id
  )
  GROUP BY operator_address`

export const readPools = async ({ store, served }: Reading) => {
  const [rows, counts] = await Promise.all([
    store.select<ListedPool>(
      `SELECT * EXCEPT (delegator_shares) FROM ${latestOf(served, TABLE.pools)}
       ORDER BY tokens DESC, operator_address`,
      {},
      READ_OPTIONS,
    ),
    store.select<CountRow>(COUNTS(served), {}, READ_OPTIONS),
  ])
  const versions = [...rows.map((row) => row.version), ...counts.map((row) => row.latest)]
  const byPool = counts.map(
    ({ operator_address: operator, voted, missed }): [string, PoolCounts] => [
      operator,
      { voted: Number(voted), missed: Number(missed) },
    ],
  )
  return {
    rows,
    counts: new Map(byPool),
    isSettled: versions.every((version) => isServed(served, version)),
  }
}

/** Of one pool: its two tables are in the order of pools. */
export const readParticipation = async ({ store, served }: Reading, operator: string) => {
  const [row] = await store.select<CountRow>(
    COUNTS(served, 'AND operator_address = {operator:String}'),
    { operator },
    READ_OPTIONS,
  )
  const counts: PoolCounts = { voted: Number(row?.voted ?? 0), missed: Number(row?.missed ?? 0) }
  return { counts, isSettled: isServed(served, row?.latest) }
}

export const hasPool = async ({ store, served }: Reading, operator: string): Promise<boolean> => {
  const rows = await store.select<{ operator_address: string }>(
    `SELECT operator_address FROM ${versionsOf(served, TABLE.pools)}
     WHERE operator_address = {operator:String} LIMIT 1`,
    { operator },
    READ_OPTIONS,
  )
  return rows.length > 0
}
