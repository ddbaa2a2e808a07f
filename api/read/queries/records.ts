// Reads the ballots of one voter, newest proposal first, and the proposals of records.
import { addressKey } from '../../../ingest/contract/address.ts'
import type { SelectedRow } from '../../../projections/contract/table/define-table.ts'
import type { BallotRow } from '../../../projections/contract/tables/votes.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import { InconsistentRead } from '../query.ts'
import {
  buildLatestTable,
  requireConsistent,
  requireInSnapshot,
  requireOneState,
  type StoreReads,
  selectFrom,
  selectRows,
  takeCharacters,
} from './as-of.ts'

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

/** `order` is the primary key after the owner of the record. */
export const buildBound = (order: readonly string[], { after }: RecordRange): string => {
  if (!after) return ''
  const types = ['{proposalId:UInt64}', '{round:UInt16}', '{rank:UInt32}']
  return `AND (${order.join(', ')}) < (${types.slice(0, order.length).join(', ')})`
}

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

const VOTER_ORDER = ['proposal_id', 'round', 'rank']

/** `voter` is any text of the address. */
export const readVoterRecord = async (
  reads: StoreReads,
  voter: string,
  range: RecordRange,
): Promise<ReadRecords<BallotRow>> => {
  const { snapshot } = reads
  const from = `${buildLatestTable(snapshot, TABLES.ballots.copies.ballotsByVoter)} WHERE voter_key = {voterKey:String} AND in_state`
  const order = VOTER_ORDER.map((column) => `${column} DESC`).join(', ')
  const params = {
    voterKey: addressKey(voter),
    offset: range.offset,
    limit: range.limit,
    ...range.after,
  }
  const [rows, [count]] = await Promise.all([
    selectFrom(
      reads,
      TABLES.ballots.all,
      `${from} ${buildBound(VOTER_ORDER, range)}
       ORDER BY ${order} LIMIT {limit:UInt64} OFFSET {offset:UInt64}`,
      params,
    ),
    selectRows<{ total: string; latest: string }>(
      reads,
      `SELECT count() AS total, max(version) AS latest FROM ${from}`,
      params,
    ),
  ])
  const proposals = await readRecordProposals(reads, rows)
  requireInSnapshot(snapshot, count?.latest)
  requireConsistent(rows, snapshot)
  return { rows, proposals, total: Number(count?.total ?? 0) }
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
