// Reads pools without a vote of their own: for an open vote from the current pools, otherwise from the tally.
import { toHeight, toPosition } from '../../../ingest/contract/envelope.ts'
import type { TallyRow } from '../../../projections/contract/tables/votes.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import type { Snapshot } from '../snapshot.ts'
import { buildLatestTable, requireInSnapshot, type StoreReads, selectRows } from './as-of.ts'

export type NonVotingPool = {
  operatorAddress: string
  moniker: string
  /** The whole stake in base units; null if it is not known. */
  bondedTokens: string | null
}
export type NonVotingPools = {
  /** True for the pools of the tally, false for the current pools. */
  isFinal: boolean
  total: number
  /** By stake, largest first. */
  pools: NonVotingPool[]
}

const MAX_SHOWN = 1_000

type Row = { operator_address: string; moniker: string; tokens: string | null }
export type ShownVote = { proposalId: string; round: number; tally: TallyRow }

/**
 * Ingest reads the states of pools at the height of every tally. These states and missed votes are written once, so
 * this query needs no check for replaced rows.
 */
const MISSED = (snapshot: Snapshot) => `
  SELECT m.operator_address AS operator_address, ifNull(s.moniker, '') AS moniker, s.tokens AS tokens
  FROM (
    SELECT operator_address FROM ${buildLatestTable(snapshot, TABLES.missedVotes)}
    WHERE proposal_id = {id:UInt64} AND round = {round:UInt16}
  ) AS m
  LEFT JOIN (
    SELECT operator_address, argMax(moniker, position) AS moniker,
      toNullable(argMax(tokens, position)) AS tokens
    FROM ${snapshot.database}.${TABLES.poolStates.name} WHERE position < {end:UInt64} GROUP BY operator_address
  ) AS s ON m.operator_address = s.operator_address
  ORDER BY tokens DESC NULLS LAST, operator_address`

export const VOTES = (snapshot: Snapshot) => `${buildLatestTable(snapshot, TABLES.poolVotes)}
  WHERE proposal_id = {id:UInt64} AND round = {round:UInt16}`

const NOT_YET = (snapshot: Snapshot) => `
  SELECT operator_address, moniker, toNullable(tokens) AS tokens
  FROM ${buildLatestTable(snapshot, TABLES.pools)}
  WHERE status = 'bonded' AND NOT jailed AND counted
    AND operator_address NOT IN (SELECT operator_address FROM ${VOTES(snapshot)} AND voted)
  ORDER BY tokens DESC, operator_address`

/** The latest version of all rows that `NOT_YET` reads. */
const LATEST = (snapshot: Snapshot) => `
  SELECT greatest(
    (SELECT max(version) FROM ${buildLatestTable(snapshot, TABLES.pools)}),
    (SELECT max(version) FROM ${VOTES(snapshot)})
  ) AS latest`

/** Selects `operator_address`, `moniker` and `tokens`. It needs `join_use_nulls`. */
export const buildNonVotingQuery = (
  snapshot: Snapshot,
  { proposalId: id, round, tally }: ShownVote,
) => {
  if (!tally.final) return { sql: NOT_YET(snapshot), params: { id, round } }
  const height = toHeight(tally.version)
  const end = `${toPosition({ height: height + 1, index: 0 })}`
  return { sql: MISSED(snapshot), params: { id, round, end } }
}

/** Must be called after the rows of an open vote were read, to detect rows that were replaced by then. */
export const requireNoneReplaced = async (
  reads: StoreReads,
  { proposalId: id, round }: ShownVote,
): Promise<void> => {
  const { snapshot } = reads
  const [last] = await selectRows<{ latest: string }>(reads, LATEST(snapshot), { id, round })
  requireInSnapshot(snapshot, last?.latest)
}

export const readNonVotingPools = async (
  reads: StoreReads,
  vote: ShownVote,
): Promise<NonVotingPools> => {
  const { final } = vote.tally
  const { sql, params } = buildNonVotingQuery(reads.snapshot, vote)
  const rows = await selectRows<Row>(reads, `${sql} SETTINGS join_use_nulls = 1`, params)
  if (!final) await requireNoneReplaced(reads, vote)
  return {
    isFinal: final,
    total: rows.length,
    pools: rows.slice(0, MAX_SHOWN).map((row) => ({
      operatorAddress: row.operator_address,
      moniker: row.moniker,
      bondedTokens: row.tokens,
    })),
  }
}
