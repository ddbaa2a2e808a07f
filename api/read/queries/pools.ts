// Reads the current pools: their states for pricing, and their lists with the numbers of votes.
import { type PoolRow, TABLE } from '../../../projections/contract/read-model.ts'
import type { Pool } from '../../schemas/pool.ts'
import type { Snapshot } from '../snapshot.ts'
import {
  buildLatestTable,
  buildVersionsTable,
  isInSnapshot,
  READ_OPTIONS,
  type StoreReads,
} from './as-of.ts'
import type { PricingPool } from './ballot-rows.ts'

export type PoolPrices = { prices: ReadonlyMap<string, PricingPool>; isConsistent: boolean }

/** A chain has only hundreds of pools, so all of them are read at once. */
export const readPoolPrices = async ({ store, snapshot }: StoreReads): Promise<PoolPrices> => {
  const rows = await store.select<PricingPool & { operator_address: string; version: string }>(
    `SELECT operator_address, tokens, delegator_shares, status, jailed, version
     FROM ${buildLatestTable(snapshot, TABLE.pools)}`,
    {},
    READ_OPTIONS,
  )
  const isConsistent = rows.every(({ version }) => isInSnapshot(snapshot, version))
  return { prices: new Map(rows.map((row) => [row.operator_address, row])), isConsistent }
}

export type PoolCounts = { voted: number; missed: number }

type CountRow = { operator_address: string; voted: string; missed: string; latest: string }

/** A proposal is not missed if the pool voted in one of its rounds. */
const COUNTS = (snapshot: Snapshot, which = '') => `
  SELECT operator_address, countIf(did) AS voted, countIf(NOT did) AS missed, max(latest) AS latest
  FROM (
    SELECT operator_address, proposal_id, max(voted) AS did, max(version) AS latest
    FROM (
      SELECT operator_address, proposal_id, voted, version
      FROM ${buildLatestTable(snapshot, TABLE.votesByPool)} WHERE voted ${which}
      UNION ALL
      SELECT operator_address, proposal_id, false AS voted, version
      FROM ${buildLatestTable(snapshot, TABLE.missedVotes)} WHERE true ${which}
    )
    GROUP BY operator_address, proposal_id
  )
  GROUP BY operator_address`

const toPool = (row: Omit<PoolRow, 'delegator_shares'>, counts: PoolCounts | undefined): Pool => ({
  operatorAddress: row.operator_address,
  accountAddress: row.account_address,
  moniker: row.moniker,
  status: row.status,
  jailed: row.jailed,
  bondedTokens: row.tokens,
  proposalsVoted: counts?.voted ?? 0,
  proposalsMissed: counts?.missed ?? 0,
})

/** All pools by bonded tokens. */
export const readPools = async ({
  store,
  snapshot,
}: StoreReads): Promise<{ pools: Pool[]; isConsistent: boolean }> => {
  const [rows, counts] = await Promise.all([
    store.select<Omit<PoolRow, 'delegator_shares'>>(
      `SELECT * EXCEPT (delegator_shares) FROM ${buildLatestTable(snapshot, TABLE.pools)}
       ORDER BY tokens DESC, operator_address`,
      {},
      READ_OPTIONS,
    ),
    store.select<CountRow>(COUNTS(snapshot), {}, READ_OPTIONS),
  ])
  const versions = [...rows.map((row) => row.version), ...counts.map((row) => row.latest)]
  const byPool = new Map(
    counts.map(({ operator_address: operator, voted, missed }): [string, PoolCounts] => [
      operator,
      { voted: Number(voted), missed: Number(missed) },
    ]),
  )
  return {
    pools: rows.map((row) => toPool(row, byPool.get(row.operator_address))),
    isConsistent: versions.every((version) => isInSnapshot(snapshot, version)),
  }
}

/** Cheap for one pool, because both tables are ordered by pool. */
export const readParticipation = async ({ store, snapshot }: StoreReads, operator: string) => {
  const [row] = await store.select<CountRow>(
    COUNTS(snapshot, 'AND operator_address = {operator:String}'),
    { operator },
    READ_OPTIONS,
  )
  const counts: PoolCounts = { voted: Number(row?.voted ?? 0), missed: Number(row?.missed ?? 0) }
  return { counts, isConsistent: isInSnapshot(snapshot, row?.latest) }
}

export const hasPool = async (
  { store, snapshot }: StoreReads,
  operator: string,
): Promise<boolean> => {
  const rows = await store.select<{ operator_address: string }>(
    `SELECT operator_address FROM ${buildVersionsTable(snapshot, TABLE.pools)}
     WHERE operator_address = {operator:String} LIMIT 1`,
    { operator },
    READ_OPTIONS,
  )
  return rows.length > 0
}
