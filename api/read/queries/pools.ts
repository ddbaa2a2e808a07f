// Reads the current pools: their states for pricing, and their lists with the numbers of votes.
import { type PoolRow, TABLE } from '../../../projections/contract/read-model.ts'
import type { Pool } from '../../schemas/pool.ts'
import type { Snapshot } from '../snapshot.ts'
import {
  buildLatestTable,
  buildVersionsTable,
  requireInSnapshot,
  type StoreReads,
  selectRows,
} from './as-of.ts'
import type { PricingPool } from './ballot-rows.ts'

/** A chain has only hundreds of pools, so all of them are read at once. */
export const readPoolPrices = async (
  reads: StoreReads,
): Promise<ReadonlyMap<string, PricingPool>> => {
  const { snapshot } = reads
  const rows = await selectRows<PricingPool & { operator_address: string; version: string }>(
    reads,
    `SELECT operator_address, tokens, delegator_shares, status, jailed, version
     FROM ${buildLatestTable(snapshot, TABLE.pools)}`,
  )
  requireInSnapshot(snapshot, ...rows.map(({ version }) => version))
  return new Map(rows.map((row) => [row.operator_address, row]))
}

type PoolCounts = { voted: number; missed: number }

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
export const readPools = async (reads: StoreReads): Promise<Pool[]> => {
  const { snapshot } = reads
  const [rows, counts] = await Promise.all([
    selectRows<Omit<PoolRow, 'delegator_shares'>>(
      reads,
      `SELECT * EXCEPT (delegator_shares) FROM ${buildLatestTable(snapshot, TABLE.pools)}
       ORDER BY tokens DESC, operator_address`,
    ),
    selectRows<CountRow>(reads, COUNTS(snapshot)),
  ])
  const versions = [...rows.map((row) => row.version), ...counts.map((row) => row.latest)]
  requireInSnapshot(snapshot, ...versions)
  const byPool = new Map(
    counts.map(({ operator_address: operator, voted, missed }): [string, PoolCounts] => [
      operator,
      { voted: Number(voted), missed: Number(missed) },
    ]),
  )
  return rows.map((row) => toPool(row, byPool.get(row.operator_address)))
}

/** Cheap for one pool, because both tables are ordered by pool. */
export const readParticipation = async (
  reads: StoreReads,
  operator: string,
): Promise<PoolCounts> => {
  const sql = COUNTS(reads.snapshot, 'AND operator_address = {operator:String}')
  const [row] = await selectRows<CountRow>(reads, sql, { operator })
  requireInSnapshot(reads.snapshot, row?.latest)
  return { voted: Number(row?.voted ?? 0), missed: Number(row?.missed ?? 0) }
}

export const hasPool = async (reads: StoreReads, operator: string): Promise<boolean> => {
  const rows = await selectRows<{ operator_address: string }>(
    reads,
    `SELECT operator_address FROM ${buildVersionsTable(reads.snapshot, TABLE.pools)}
     WHERE operator_address = {operator:String} LIMIT 1`,
    { operator },
  )
  return rows.length > 0
}
