// Reads records, newest proposal first: the ballots of one voter; the votes of one pool, of its delegators, and those that it missed.
import { addressKey } from '../../../ingest/contract/address.ts'
import { isMissed } from '../../../projections/contract/missed-votes.ts'
import type { SelectedRow } from '../../../projections/contract/table/define-table.ts'
import type { BallotRow, MissedVoteRow } from '../../../projections/contract/tables/votes.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import type { PoolVote } from '../../schemas/pool.ts'
import { InconsistentRead } from '../query.ts'
import type { Snapshot } from '../snapshot.ts'
import {
  buildLatestTable,
  buildVersionsTable,
  readKeyset,
  requireConsistent,
  requireOneState,
  type StoreReads,
  selectFrom,
  selectRows,
  takeCharacters,
} from './as-of.ts'
import { toSilentRecord, toVoteRecord } from './votes.ts'

/** Longer than a title in a list, so that a shortened title is recognized. */
const TITLE_LENGTH = 2_000

const PROPOSAL_INFO = TABLES.proposals.select(
  ['proposalId', 'title', 'status', 'round', 'roundReason', 'version'],
  { title: takeCharacters(TITLE_LENGTH) },
)
export type ProposalInfoRow = SelectedRow<typeof PROPOSAL_INFO>

/** Rows after a position, or from an offset. */
export type RecordRange = { after: RecordPosition | undefined; offset: number; limit: number }
/** `rank` is 0 in records of pools. */
export type RecordPosition = { proposalId: string; round: number; rank: number }

export type ReadRecords<Row> = {
  rows: Row[]
  proposals: ReadonlyMap<string, ProposalInfoRow>
  /** The number of all rows of the record. */
  total: number
}

const toRange = ({ after, offset, limit }: RecordRange, hasRank: boolean) => ({
  offset,
  limit,
  after: after && {
    proposal_id: after.proposalId,
    round: after.round,
    ...(hasRank ? { rank: after.rank } : {}),
  },
})

export const readProposalInfo = async (
  reads: StoreReads,
  ids: readonly string[],
): Promise<ProposalInfoRow[]> => {
  if (ids.length === 0) return []
  return await selectFrom(
    reads,
    PROPOSAL_INFO,
    `${buildLatestTable(reads.snapshot, TABLES.proposals)}
     WHERE proposal_id IN {ids:Array(UInt64)}`,
    { ids: ids.map(BigInt) },
  )
}

/** The proposals of records, each in one state. */
export const readRecordProposals = async (
  reads: StoreReads,
  rows: readonly { proposalId: string }[],
): Promise<ReadRecords<never>['proposals']> => {
  const ids = [...new Set(rows.map((row) => row.proposalId))]
  const proposals = await readProposalInfo(reads, ids)
  if (proposals.length < ids.length) throw new InconsistentRead('inFlight')
  for (const proposal of proposals) requireOneState(proposal, [], reads.snapshot)
  return new Map(proposals.map((row) => [row.proposalId, row]))
}

/** `voter` is any text of the address. */
export const readVoterRecord = async (
  reads: StoreReads,
  voter: string,
  range: RecordRange,
): Promise<ReadRecords<BallotRow>> => {
  const { snapshot } = reads
  const { rows, total } = await readKeyset(reads, TABLES.ballots.all, {
    source: `${buildLatestTable(snapshot, TABLES.ballots.copies.ballotsByVoter)} WHERE voter_key = {voterKey:String} AND in_state`,
    params: { voterKey: addressKey(voter) },
    order: ['proposal_id', 'round', 'rank'],
    ...toRange(range, true),
  })
  const proposals = await readRecordProposals(reads, rows)
  requireConsistent(rows, snapshot)
  return { rows, proposals, total }
}

/** Whether a row has exactly this position, including its rank. A ballot that has left the state still has one. */
export const hasVoterRecordAt = async (
  reads: StoreReads,
  voter: string,
  at: RecordPosition,
): Promise<boolean> => {
  const rows = await selectRows<{ rank: number }>(
    reads,
    `SELECT rank FROM ${reads.snapshot.database}.${TABLES.ballots.copies.ballotsByVoter.name}
     WHERE voter_key = {voterKey:String} AND proposal_id = {proposalId:UInt64}
       AND round = {round:UInt16} AND rank = {rank:UInt32} LIMIT 1`,
    { voterKey: addressKey(voter), ...at },
  )
  return rows.length > 0
}

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
  const { rows: page, total } = await readKeyset(reads, KEY, {
    source: `(${KEYS(snapshot)}) WHERE true`,
    params: { operator },
    order: ORDER,
    ...toRange(range, false),
  })
  requireConsistent(page, snapshot)
  const [rows, proposals] = await Promise.all([
    readRows(reads, operator, page),
    readRecordProposals(reads, page),
  ])
  return { rows, proposals, total }
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
