// Reads the votes of one pool or the ballots of one voter, newest proposal first, with their proposals.
import {
  type BallotRow,
  type PoolVoteRow,
  type ProposalRow,
  TABLE,
} from '../../../projections/contract/read-model.ts'
import { InconsistentRead } from '../query.ts'
import {
  buildLatestTable,
  requireConsistent,
  requireInSnapshot,
  requireOneState,
  type StoreReads,
  selectRows,
} from './as-of.ts'

export type ProposalInfoRow = Pick<
  ProposalRow,
  'proposal_id' | 'title' | 'status' | 'round' | 'round_reason' | 'version'
>

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

type RecordTable = { table: string; owner: string; order: readonly string[] }

/** `order` is the primary key after the owner. */
const POOL_RECORD: RecordTable = {
  table: TABLE.votesByPool,
  owner: 'operator_address',
  order: ['proposal_id', 'round'],
}
const VOTER_RECORD: RecordTable = {
  table: TABLE.ballotsByVoter,
  owner: 'voter',
  order: ['proposal_id', 'round', 'rank'],
}

const buildBound = ({ order }: RecordTable, { after }: RecordRange): string => {
  if (!after) return ''
  const types = ['{proposalId:UInt64}', '{round:UInt16}', '{rank:UInt32}']
  return `AND (${order.join(', ')}) < (${types.slice(0, order.length).join(', ')})`
}

/** Longer than a title in a list, so that a shortened title is recognized. */
const TITLE_LENGTH = 2_000

export const readProposalInfo = async (
  reads: StoreReads,
  ids: readonly string[],
): Promise<ProposalInfoRow[]> => {
  if (ids.length === 0) return []
  return await selectRows<ProposalInfoRow>(
    reads,
    `SELECT proposal_id, substringUTF8(title, 1, ${TITLE_LENGTH}) AS title, status, round, round_reason, version
     FROM ${buildLatestTable(reads.snapshot, TABLE.proposals)}
     WHERE proposal_id IN {ids:Array(UInt64)}`,
    { ids: ids.map(BigInt) },
  )
}

const readRecords =
  <Row extends { proposal_id: string; version: string }>(record: RecordTable) =>
  async (reads: StoreReads, owner: string, range: RecordRange): Promise<ReadRecords<Row>> => {
    const { snapshot } = reads
    const from = `${buildLatestTable(snapshot, record.table)} WHERE ${record.owner} = {owner:String}`
    const order = record.order.map((column) => `${column} DESC`).join(', ')
    const params = { owner, offset: range.offset, limit: range.limit, ...range.after }
    const [rows, [count]] = await Promise.all([
      selectRows<Row>(
        reads,
        `SELECT * FROM ${from} ${buildBound(record, range)}
         ORDER BY ${order} LIMIT {limit:UInt64} OFFSET {offset:UInt64}`,
        params,
      ),
      selectRows<{ total: string; latest: string }>(
        reads,
        `SELECT count() AS total, max(version) AS latest FROM ${from}`,
        params,
      ),
    ])
    const ids = [...new Set(rows.map((row) => row.proposal_id))]
    const proposals = await readProposalInfo(reads, ids)
    if (proposals.length < ids.length) throw new InconsistentRead('inFlight')
    for (const proposal of proposals) requireOneState(proposal, [], snapshot)
    requireInSnapshot(snapshot, count?.latest)
    requireConsistent(rows, snapshot)
    return {
      rows,
      proposals: new Map(proposals.map((row) => [row.proposal_id, row])),
      total: Number(count?.total ?? 0),
    }
  }

/** Whether a row has exactly this position, including its rank. */
const hasRecordAt =
  (record: RecordTable) =>
  async (reads: StoreReads, owner: string, at: RecordPosition): Promise<boolean> => {
    const rows = await selectRows<{ rank: number }>(
      reads,
      `SELECT rank FROM ${reads.snapshot.database}.${record.table}
       WHERE ${record.owner} = {owner:String} AND proposal_id = {proposalId:UInt64}
         AND round = {round:UInt16} AND rank = {rank:UInt32} LIMIT 1`,
      { owner, ...at },
    )
    return rows.length > 0
  }

export const hasPoolRecordAt = hasRecordAt(POOL_RECORD)
export const hasVoterRecordAt = hasRecordAt(VOTER_RECORD)
export const readPoolRecord = readRecords<PoolVoteRow>(POOL_RECORD)
export const readVoterRecord = readRecords<BallotRow>(VOTER_RECORD)
