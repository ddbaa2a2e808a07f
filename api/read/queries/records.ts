// Reads records, newest proposal first: the ballots of one voter; the votes of one pool, of its delegators, and those that it missed.
import { addressKey } from '../../../ingest/contract/address.ts'
import { isMissed } from '../../../projections/contract/missed-votes.ts'
import type { SelectedRow } from '../../../projections/contract/table/define-table.ts'
import type { BallotRow, MissedVoteRow } from '../../../projections/contract/tables/votes.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import type { Participation, VoteOrMiss } from '../../schemas/pool.ts'
import { InconsistentRead } from '../query.ts'
import type { Snapshot } from '../snapshot.ts'
import {
  buildLatestTable,
  readKeyset,
  requireConsistent,
  requireInSnapshot,
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
  const table = buildLatestTable(reads.snapshot, TABLES.proposals)
  const ofIds = `${table} WHERE proposal_id IN {ids:Array(UInt64)}`
  return await selectFrom(reads, PROPOSAL_INFO, ofIds, { ids: ids.map(BigInt) })
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
  record: VoteOrMiss
}

/** Both tables are ordered by pool, proposal and round. `which` can follow as further conditions. */
const buildVotes = (snapshot: Snapshot): string =>
  `${buildLatestTable(snapshot, TABLES.poolVotes.copies.votesByPool)} WHERE operator_address = {operator:String}`

const buildMissed = (snapshot: Snapshot): string =>
  `${buildLatestTable(snapshot, TABLES.missedVotes)} WHERE operator_address = {operator:String}
   AND ${isMissed(buildLatestTable(snapshot, TABLES.proposals))}`

/** The page is a range of the primary key of both tables. */
const IN_PAGE = `AND (proposal_id, round) <= ({firstId:UInt64}, {firstRound:UInt16})
  AND (proposal_id, round) >= ({lastId:UInt64}, {lastRound:UInt16})`

const VOTE_KEY = TABLES.poolVotes.select(['proposalId', 'round', 'rank', 'voted', 'version'])
const MISSED_KEY = TABLES.missedVotes.select(['proposalId', 'round', 'version'])
type Key = SelectedRow<typeof VOTE_KEY> & { missed: boolean }

const toMissedVote = ({ bondedTokens: tokens, ...row }: MissedVoteRow): VoteOrMiss => ({
  ...toSilentRecord({ ...row, tokens }),
  missed: true,
})

const toKey = ({ proposalId: id, round }: Pick<Key, 'proposalId' | 'round'>): string =>
  `${id}/${round}`

/** One key per vote: few columns, because a pool can have thousands of votes. */
const readKeys = async (reads: StoreReads, operator: string): Promise<Key[]> => {
  const { snapshot } = reads
  const [votes, missed] = await Promise.all([
    selectFrom(reads, VOTE_KEY, buildVotes(snapshot), { operator }),
    selectFrom(reads, MISSED_KEY, buildMissed(snapshot), { operator }),
  ])
  requireInSnapshot(snapshot, ...[...votes, ...missed].map(({ version }) => version))
  const keys = new Map(
    missed.map((row): [string, Key] => [
      toKey(row),
      { ...row, rank: 0, voted: false, missed: true },
    ]),
  )
  for (const row of votes) keys.set(toKey(row), { ...row, missed: keys.has(toKey(row)) })
  return [...keys.values()].sort(
    (one, other) =>
      Number(BigInt(other.proposalId) - BigInt(one.proposalId)) || other.round - one.round,
  )
}

/** A proposal counts once: one that the pool missed does not count as voted, also if it voted in an earlier round. */
const countParticipation = (keys: readonly Key[]): Participation => {
  const idsOf = (is: (key: Key) => boolean) =>
    new Set(keys.filter(is).map(({ proposalId }) => proposalId))
  const missed = idsOf((key) => key.missed)
  const voted = idsOf((key) => key.voted && !missed.has(key.proposalId))
  return { proposalsVoted: voted.size, proposalsMissed: missed.size }
}

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
  requireConsistent([...votes, ...missed], snapshot)
  const records = new Map<string, VoteOrMiss>([
    ...missed.map((row): [string, VoteOrMiss] => [toKey(row), toMissedVote(row)]),
    ...votes.map((row): [string, VoteOrMiss] => [
      toKey(row),
      { ...toVoteRecord(row), missed: false },
    ]),
  ])
  return keys.flatMap((key) => {
    const record = records.get(toKey(key))
    return record ? [{ ...key, record: { ...record, missed: key.missed } }] : []
  })
}

/** Undefined for a position without a row. */
export const readPoolRecord = async (
  reads: StoreReads,
  operator: string,
  { after, offset, limit }: RecordRange,
): Promise<(ReadRecords<PoolRecordRow> & { participation: Participation }) | undefined> => {
  const keys = await readKeys(reads, operator)
  const isLast = (key: Key) =>
    toKey(key) === (after && toKey(after)) && key.rank === (after?.rank ?? 0)
  const from = after ? keys.findIndex(isLast) + 1 : offset
  if (after && from === 0) return undefined
  const page = keys.slice(from, from + limit)
  const [rows, proposals] = await Promise.all([
    readRows(reads, operator, page),
    readRecordProposals(reads, page),
  ])
  return { rows, proposals, total: keys.length, participation: countParticipation(keys) }
}
