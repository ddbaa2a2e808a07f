// What the lists of one pool's votes and of one voter's ballots share: pages of records, newest proposal first.

import { getKnownRound } from '../read/queries/proposal-rows.ts'
import type { ReadRecords, RecordPosition, RecordRange } from '../read/queries/records.ts'
import type { RecordFields } from '../schemas/ballot.ts'
import { notIssued } from './cursor.ts'
import type { Range, Slice } from './list.ts'

export const RECORDS_PER_PAGE = 100

/** The proposal, the round and the rank of the record before. */
const POSITION_PATTERN = /^(?:0|[1-9][0-9]{0,18})~(?:0|[1-9][0-9]{0,3})~(?:0|[1-9][0-9]{0,8})$/

const parsePosition = (position: string): RecordPosition => {
  const [proposalId = '0', round, rank] = position.split('~')
  return { proposalId, round: Number(round), rank: Number(rank) }
}

type KeyedRow = { proposal_id: string; round: number; rank: number }

const formatPosition = ({ proposal_id: id, round, rank }: KeyedRow): string =>
  `${id}~${round}~${rank}`

export const RECORD_LIST = {
  paging: 'numbered',
  pageSize: RECORDS_PER_PAGE,
  pagesPerReading: 10,
  positionPattern: POSITION_PATTERN,
} as const
/** What a record is about; a proposal's own row may be a commit behind for a moment. */
export const toRecordFields = (
  row: KeyedRow,
  proposals: ReadRecords<KeyedRow>['proposals'],
): RecordFields => {
  const proposal = proposals.get(row.proposal_id)
  return {
    proposalId: row.proposal_id,
    title: proposal?.title ?? '',
    status: proposal?.status ?? 'voting_period',
    round: proposal && getKnownRound(proposal) === null ? null : row.round,
  }
}

/** One row more than the limit tells whether anything follows. */
export const toRecordRange = ({ start, limit }: Range): RecordRange =>
  'page' in start
    ? { after: undefined, offset: start.page * RECORDS_PER_PAGE, limit: limit + 1 }
    : { after: parsePosition(start.position), offset: 0, limit: limit + 1 }

/** Throws `invalid-parameter` for a cursor after a row that is not there. */
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
