// What the lists of one pool's votes and of one voter's ballots share: pages of records, newest proposal first.

import { knownRound } from '../read/queries/proposal-rows.ts'
import type { ReadRecords, RecordPosition, RecordRange } from '../read/queries/records.ts'
import type { RecordFields } from '../schemas/ballot.ts'
import { notIssued } from './cursor.ts'
import type { Range, Slice } from './list.ts'

export const RECORDS_PER_PAGE = 100

/** The proposal, the round and the rank of the record before. */
const PLACE = /^(?:0|[1-9][0-9]{0,18})~(?:0|[1-9][0-9]{0,3})~(?:0|[1-9][0-9]{0,8})$/

const positionIn = (place: string): RecordPosition => {
  const [proposalId = '0', round, rank] = place.split('~')
  return { proposalId, round: Number(round), rank: Number(rank) }
}

type KeyedRow = { proposal_id: string; round: number; rank: number }

const placeOf = ({ proposal_id: id, round, rank }: KeyedRow): string => `${id}~${round}~${rank}`

export const RECORD_LIST = {
  paging: 'numbered',
  pageSize: RECORDS_PER_PAGE,
  pagesPerReading: 10,
  place: PLACE,
} as const
/** What a record is about; a proposal's own row may be a commit behind for a moment. */
export const aboutOf = (row: KeyedRow, about: ReadRecords<KeyedRow>['about']): RecordFields => {
  const proposal = about.get(row.proposal_id)
  return {
    proposalId: row.proposal_id,
    title: proposal?.title ?? '',
    status: proposal?.status ?? 'voting_period',
    round: proposal && knownRound(proposal) === null ? null : row.round,
  }
}

/** One row more than the limit tells whether anything follows. */
export const recordRange = ({ start, limit }: Range): RecordRange =>
  'page' in start
    ? { after: undefined, offset: start.page * RECORDS_PER_PAGE, limit: limit + 1 }
    : { after: positionIn(start.place), offset: 0, limit: limit + 1 }

/** Throws `invalid-parameter` for a cursor after a row that is not there. */
export const checkPlace = async (
  { start }: Range,
  has: (at: RecordPosition) => Promise<boolean>,
): Promise<void> => {
  if ('place' in start && !(await has(positionIn(start.place)))) throw notIssued()
}

export const recordPlaces =
  (rows: readonly KeyedRow[]): Slice<never>['placeAfter'] =>
  (count) => {
    const last = rows[count - 1]
    return last && count < rows.length ? placeOf(last) : null
  }
