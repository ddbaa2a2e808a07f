// Reads the record of one pool, newest proposal first: its votes, those of its delegators, and the votes that it missed.
import { isMissed } from '../../../projections/contract/missed-votes.ts'
import type { SelectedRow } from '../../../projections/contract/table/define-table.ts'
import type { MissedVoteRow } from '../../../projections/contract/tables/votes.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import type { PoolVote } from '../../schemas/pool.ts'
import type { Snapshot } from '../snapshot.ts'
import {
  buildLatestTable,
  buildVersionsTable,
  requireConsistent,
  requireInSnapshot,
  type StoreReads,
  selectFrom,
  selectRows,
} from './as-of.ts'
import {
  buildBound,
  type ReadRecords,
  type RecordPosition,
  type RecordRange,
  readRecordProposals,
} from './records.ts'
import { toSilentRecord, toVoteRecord } from './votes.ts'

export type PoolRecordRow = {
  proposalId: string
  round: number
  /** 0 if there is no row of the vote. */
  rank: number
  version: bigint
  record: PoolVote
}

/** Both tables are ordered by pool, proposal and round. `which` can follow as further conditions. */
const buildVotes = (snapshot: Snapshot): string =>
  `${buildLatestTable(snapshot, TABLES.poolVotes.copies.votesByPool)} WHERE operator_address = {operator:String}`

const buildMissed = (snapshot: Snapshot): string =>
  `${buildLatestTable(snapshot, TABLES.missedVotes)} WHERE operator_address = {operator:String}
   AND ${isMissed(buildLatestTable(snapshot, TABLES.proposals))}`

/** One row per vote: few columns, because a pool can have thousands of votes. */
const KEYS = (snapshot: Snapshot): string => `
  SELECT proposal_id, round, max(version) AS version
  FROM (
    SELECT proposal_id, round, version FROM ${buildVotes(snapshot)}
    UNION ALL
    SELECT proposal_id, round, version FROM ${buildMissed(snapshot)}
  )
  GROUP BY proposal_id, round`

const ORDER = ['proposal_id', 'round'] as const

/** The page is a range of the primary key of both tables. */
const IN_PAGE = `AND (${ORDER.join(', ')}) <= ({firstId:UInt64}, {firstRound:UInt16})
  AND (${ORDER.join(', ')}) >= ({lastId:UInt64}, {lastRound:UInt16})`

/** Of a row of votes or of missed votes. */
const KEY = TABLES.missedVotes.select(['proposalId', 'round', 'version'])
type Key = SelectedRow<typeof KEY>

const toMissedVote = ({ bondedTokens: tokens, ...row }: MissedVoteRow): PoolVote => ({
  ...toSilentRecord({ ...row, tokens }),
  missed: true,
})

const toKey = ({ proposalId: id, round }: Pick<Key, 'proposalId' | 'round'>): string =>
  `${id}/${round}`

const readRows = async (
  reads: StoreReads,
  operator: string,
  keys: readonly Key[],
): Promise<PoolRecordRow[]> => {
  const [first, last] = [keys[0], keys.at(-1)]
  if (!first || !last) return []
  const { snapshot } = reads
  const params = {
    operator,
    firstId: first.proposalId,
    firstRound: first.round,
    lastId: last.proposalId,
    lastRound: last.round,
  }
  const [votes, missed] = await Promise.all([
    selectFrom(reads, TABLES.poolVotes.all, `${buildVotes(snapshot)} ${IN_PAGE}`, params),
    selectFrom(reads, TABLES.missedVotes.all, `${buildMissed(snapshot)} ${IN_PAGE}`, params),
  ])
  requireConsistent(votes, snapshot)
  const voteAt = new Map(votes.map((row) => [toKey(row), row]))
  const missedAt = new Map(missed.map((row) => [toKey(row), row]))
  return keys.flatMap((key): PoolRecordRow[] => {
    const vote = voteAt.get(toKey(key))
    const missing = missedAt.get(toKey(key))
    if (vote) {
      const record = { ...toVoteRecord(vote), missed: missing !== undefined }
      return [{ ...key, rank: vote.rank, record }]
    }
    return missing ? [{ ...key, rank: 0, record: toMissedVote(missing) }] : []
  })
}

export const readPoolRecord = async (
  reads: StoreReads,
  operator: string,
  range: RecordRange,
): Promise<ReadRecords<PoolRecordRow>> => {
  const { snapshot } = reads
  const keys = `(${KEYS(snapshot)})`
  const params = { operator, offset: range.offset, limit: range.limit, ...range.after }
  const [page, [count]] = await Promise.all([
    selectFrom(
      reads,
      KEY,
      `${keys} WHERE true ${buildBound(ORDER, range)}
       ORDER BY ${ORDER.map((column) => `${column} DESC`).join(', ')}
       LIMIT {limit:UInt64} OFFSET {offset:UInt64}`,
      params,
    ),
    selectRows<{ total: string; latest: string }>(
      reads,
      `SELECT count() AS total, max(version) AS latest FROM ${keys}`,
      params,
    ),
  ])
  requireInSnapshot(snapshot, count?.latest)
  requireConsistent(page, snapshot)
  const [rows, proposals] = await Promise.all([
    readRows(reads, operator, page),
    readRecordProposals(reads, page),
  ])
  return { rows, proposals, total: Number(count?.total ?? 0) }
}

/** Whether the record has a row at exactly this position, including its rank. */
export const hasPoolRecordAt = async (
  { store, snapshot }: StoreReads,
  operator: string,
  at: RecordPosition,
): Promise<boolean> => {
  const select = (rank: string, table: { name: string }) =>
    `SELECT ${rank} AS rank FROM ${buildVersionsTable(snapshot, table)}
     WHERE operator_address = {operator:String} AND proposal_id = {proposalId:UInt64}
       AND round = {round:UInt16}`
  const rows = await selectRows<{ rank: number }>(
    { store },
    `SELECT max(rank) AS rank
     FROM (${select('rank', TABLES.poolVotes.copies.votesByPool)} UNION ALL ${select('toUInt32(0)', TABLES.missedVotes)})
     HAVING count() > 0`,
    { operator, proposalId: at.proposalId, round: at.round },
  )
  return rows[0]?.rank === at.rank
}
