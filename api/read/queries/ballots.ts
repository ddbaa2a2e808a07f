// Reads a range of ballots of one vote, and their number. The cost does not depend on the number of ballots.
import { type BallotRow, TABLE } from '../../../projections/contract/read-model.ts'
import {
  buildLatestTable,
  buildVersionsTable,
  isConsistent,
  READ_OPTIONS,
  type StoreReads,
} from './as-of.ts'
import type { RankRange } from './votes.ts'

type Vote = Pick<RankRange, 'proposalId' | 'round'>

/** Ranks have no gaps, so the last rank is the count. It is at the end of a range of the primary key. */
export const countBallots = async (
  { store, snapshot }: StoreReads,
  { proposalId, round }: Vote,
): Promise<{ total: number; isConsistent: boolean }> => {
  const [last] = await store.select<Pick<BallotRow, 'proposal_id' | 'rank' | 'version'>>(
    `SELECT proposal_id, rank, version FROM ${buildVersionsTable(snapshot, TABLE.ballots)}
     WHERE proposal_id = {id:UInt64} AND round = {round:UInt16}
     ORDER BY proposal_id DESC, round DESC, rank DESC LIMIT 1`,
    { id: proposalId, round },
    READ_OPTIONS,
  )
  return last
    ? { total: last.rank + 1, isConsistent: isConsistent([last], snapshot) }
    : { total: 0, isConsistent: true }
}

/** Rows with `from` ≤ rank < `to`, in order of rank. */
export const readBallots = async (
  { store, snapshot }: StoreReads,
  { proposalId, round, from, to }: RankRange,
): Promise<{ rows: BallotRow[]; isConsistent: boolean }> => {
  const rows = await store.select<BallotRow>(
    `SELECT * FROM ${buildLatestTable(snapshot, TABLE.ballots)}
     WHERE proposal_id = {id:UInt64} AND round = {round:UInt16}
       AND rank >= {from:UInt32} AND rank < {to:UInt32}
     ORDER BY rank`,
    { id: proposalId, round, from, to },
    READ_OPTIONS,
  )
  return { rows, isConsistent: isConsistent(rows, snapshot) }
}
