// Reads the current pools: names, states for pricing, lists with the numbers of votes, profiles, and how each voted in a round.

import { isCounted } from '../../../ingest/contract/delegation.ts'
import type { WeightedOption } from '../../../ingest/contract/facts.ts'
import { isMissed } from '../../../projections/contract/missed-votes.ts'
import type { PoolRow } from '../../../projections/contract/tables/pools.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import type { Pool, PoolProfile } from '../../schemas/pool.ts'
import { formatShare } from '../../words/shares.ts'
import { createInnerQuery, heightVersion } from '../query.ts'
import type { Snapshot } from '../snapshot.ts'
import {
  buildLatestTable,
  buildVersionsTable,
  requireConsistent,
  requireInSnapshot,
  type StoreReads,
  selectFrom,
  selectLatest,
  selectRows,
} from './as-of.ts'
import type { PricingPool } from './ballots.ts'
import { formatRate } from './values.ts'

export type NamedPool = { operatorAddress: string; accountAddress: string; moniker: string }

const NAMED = TABLES.pools.select(['operatorAddress', 'accountAddress', 'moniker', 'version'])

/** A chain has only hundreds of pools. */
const readPoolNames = async (reads: StoreReads): Promise<readonly NamedPool[]> => {
  const rows = await selectLatest(reads, TABLES.pools, NAMED)
  return rows.map(({ version: _, ...name }) => name)
}

export const poolNames = createInnerQuery<readonly NamedPool[]>({
  name: 'names of pools',
  proposalId: null,
  version: heightVersion,
  read: async (reads) => ({ value: await readPoolNames(reads) }),
})

export type PoolChoice = {
  operatorAddress: string
  moniker: string
  options: WeightedOption[] | null
}

const CHOICE = TABLES.poolVotes.select([
  'proposalId',
  'operatorAddress',
  'moniker',
  'voted',
  'options',
  'version',
])

/** The own vote of each pool that has a row in the vote; null if only its delegators voted. */
export const readPoolChoices = async (
  reads: StoreReads,
  { proposalId, round }: { proposalId: string; round: number },
): Promise<PoolChoice[]> => {
  const inVote = 'WHERE proposal_id = {id:UInt64} AND round = {round:UInt16}'
  const params = { id: proposalId, round }
  const rows = await selectLatest(reads, TABLES.poolVotes, CHOICE, inVote, params)
  requireConsistent(rows, reads.snapshot)
  return rows.map(({ operatorAddress, moniker, voted, options }) => ({
    operatorAddress,
    moniker,
    options: voted ? [...options] : null,
  }))
}

const PRICED = TABLES.pools.select([
  'operatorAddress',
  'tokens',
  'delegatorShares',
  'status',
  'jailed',
  'counted',
  'version',
])

/** A chain has only hundreds of pools, so all of them are read at once. */
export const readPoolPrices = async (
  reads: StoreReads,
): Promise<ReadonlyMap<string, PricingPool>> => {
  const rows = await selectLatest(reads, TABLES.pools, PRICED)
  return new Map(rows.map((row) => [row.operatorAddress, row]))
}

type PoolCounts = { voted: number; missed: number }

type CountRow = { operator_address: string; voted: string; missed: string; latest: string }

/** A proposal counts once: one that the pool missed does not count as voted, also if it voted in an earlier round. */
const COUNTS = (snapshot: Snapshot) => `
  SELECT operator_address, countIf(NOT did_miss) AS voted, countIf(did_miss) AS missed, max(latest) AS latest
  FROM (
    SELECT operator_address, proposal_id, max(is_missed) AS did_miss, max(version) AS latest
    FROM (
      SELECT operator_address, proposal_id, false AS is_missed, version
      FROM ${buildLatestTable(snapshot, TABLES.poolVotes.copies.votesByPool)} WHERE voted
      UNION ALL
      SELECT operator_address, proposal_id, true AS is_missed, version
      FROM ${buildLatestTable(snapshot, TABLES.missedVotes)}
      WHERE ${isMissed(buildLatestTable(snapshot, TABLES.proposals))}
    )
    GROUP BY operator_address, proposal_id
  )
  GROUP BY operator_address`

const LISTED = TABLES.pools.except(['delegatorShares'])
type ListedRow = Omit<PoolRow, 'delegatorShares'>

/** Null if no pool has power. */
const computeShare = (row: ListedRow, whole: bigint): string | null => {
  if (whole === 0n) return null
  return isCounted(row) ? formatShare(row.tokens, whole) : '0'
}

const toPool = (row: ListedRow, counts: PoolCounts | undefined, whole: bigint): Pool => ({
  operatorAddress: row.operatorAddress,
  accountAddress: row.accountAddress,
  moniker: row.moniker,
  status: row.status,
  jailed: row.jailed,
  counted: isCounted(row),
  bondedTokens: `${row.tokens}`,
  proposalsVoted: counts?.voted ?? 0,
  proposalsMissed: counts?.missed ?? 0,
  powerShare: computeShare(row, whole),
})

/** All pools by bonded tokens. */
export const readPools = async (reads: StoreReads): Promise<Pool[]> => {
  const { snapshot } = reads
  const [rows, counts] = await Promise.all([
    selectLatest(reads, TABLES.pools, LISTED, 'ORDER BY tokens DESC, operator_address'),
    selectRows<CountRow>(reads, COUNTS(snapshot)),
  ])
  requireInSnapshot(snapshot, ...counts.map((row) => row.latest))
  const byPool = new Map(
    counts.map(({ operator_address: operator, voted, missed }): [string, PoolCounts] => [
      operator,
      { voted: Number(voted), missed: Number(missed) },
    ]),
  )
  const whole = rows.reduce((sum, row) => (isCounted(row) ? sum + row.tokens : sum), 0n)
  return rows.map((row) => toPool(row, byPool.get(row.operatorAddress), whole))
}

const ADDRESS = TABLES.pools.select(['operatorAddress'])

export const hasPool = async (reads: StoreReads, operator: string): Promise<boolean> => {
  const rows = await selectFrom(
    reads,
    ADDRESS,
    `${buildVersionsTable(reads.snapshot, TABLES.pools)}
     WHERE operator_address = {operator:String} LIMIT 1`,
    { operator },
  )
  return rows.length > 0
}

const orNull = (text: string): string | null => (text === '' ? null : text)

const NO_PROFILE = 'no state of this pool with a description has been read'

/** As last read. */
export async function readProfile(
  reads: StoreReads,
  operator: string,
): Promise<{ profile: PoolProfile | null; profileReason: string | null }> {
  const { poolProfiles } = TABLES
  const isIt = 'WHERE operator_address = {operator:String}'
  const [row] = await selectLatest(reads, poolProfiles, poolProfiles.all, isIt, { operator })
  if (!row) return { profile: null, profileReason: NO_PROFILE }
  const rate = formatRate(row.commissionRate)
  const maxRate = formatRate(row.commissionMaxRate)
  const maxChangeRate = formatRate(row.commissionMaxChangeRate)
  const isKnown = rate !== null && maxRate !== null && maxChangeRate !== null
  const profile = {
    website: orNull(row.website),
    details: orNull(row.details),
    identity: orNull(row.identity),
    commission: isKnown ? { rate, maxRate, maxChangeRate } : null,
    height: row.height,
  }
  return { profile, profileReason: null }
}
