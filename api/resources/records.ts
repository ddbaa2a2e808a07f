// Shared parts of the lists of pool votes and voter ballots: pages of records, newest proposal first.

import { getKnownRound } from '../read/queries/proposal-rows.ts'
import type { ReadRecords, RecordPosition, RecordRange } from '../read/queries/records.ts'
import type { RecordFields } from '../schemas/ballot.ts'
import { notIssued } from './cursor.ts'
import type { Range, Slice } from './list-query.ts'

export const RECORDS_PER_PAGE = 100

/** Proposal, round and rank of the last record on the previous page. */
const POSITION_PATTERN = /^(?:0|[1-9][0-9]{0,18})~(?:0|[1-9][0-9]{0,3})~(?:0|[1-9][0-9]{0,8})$/

const parsePosition = (position: string): RecordPosition => {
  const [proposalId = '0', round, rank] = position.split('~')
  return { proposalId, round: Number(round), rank: Number(rank) }
}

type KeyedRow = { proposalId: string; round: number; rank: number }

const formatPosition = ({ proposalId: id, round, rank }: KeyedRow): string =>
  `${id}~${round}~${rank}`

export const RECORD_LIST = {
  paging: 'numbered',
  pageSize: RECORDS_PER_PAGE,
  pagesPerReading: 10,
  positionPattern: POSITION_PATTERN,
} as const
/** The members about the proposal. The row of the proposal can be one commit behind. */
export const toRecordFields = (
  row: KeyedRow,
  proposals: ReadRecords<KeyedRow>['proposals'],
): RecordFields => {
  const proposal = proposals.get(row.proposalId)
  return {
    proposalId: row.proposalId,
    title: proposal?.title ?? '',
    status: proposal?.status ?? 'voting_period',
    round: proposal && getKnownRound(proposal) === null ? null : row.round,
  }
}

/** One additional row shows whether a next page exists. */
export const toRecordRange = ({ start, limit }: Range): RecordRange =>
  'page' in start
    ? { after: undefined, offset: start.page * RECORDS_PER_PAGE, limit: limit + 1 }
    : { after: parsePosition(start.position), offset: 0, limit: limit + 1 }

/** Throws `invalid-parameter` for a cursor with a row that does not exist. */
export const checkPosition = async (
  { start }: Range,
  has: (at: RecordPosition) => Promise<boolean>,
): Promise<void> => {
  if ('position' in start && !(await has(parsePosition(start.position)))) throw notIssued()
}

export const createPositionLookup =
  (rows: readonly KeyedRow[]): Slice<never>['getPositionAfter'] =>
  (count) => {
    const last = rows[count - 1]
    return last && count < rows.length ? formatPosition(last) : null
  }
