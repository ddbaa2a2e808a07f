// Reads a range of ballots of one vote, and their number. The cost does not depend on the number of ballots.
import { type BallotRow, TABLE } from '../../../projections/contract/read-model.ts'
import {
  buildLatestTable,
  buildVersionsTable,
  requireConsistent,
  type StoreReads,
  selectRows,
} from './as-of.ts'
import type { RankRange } from './votes.ts'

type Vote = Pick<RankRange, 'proposalId' | 'round'>

/** Ranks have no gaps, so the last rank is the count. It is at the end of a range of the primary key. */
export const countBallots = async (
  reads: StoreReads,
  { proposalId, round }: Vote,
): Promise<number> => {
  const { snapshot } = reads
  const [last] = await selectRows<Pick<BallotRow, 'proposal_id' | 'rank' | 'version'>>(
    reads,
    `SELECT proposal_id, rank, version FROM ${buildVersionsTable(snapshot, TABLE.ballots)}
     WHERE proposal_id = {id:UInt64} AND round = {round:UInt16}
     ORDER BY proposal_id DESC, round DESC, rank DESC LIMIT 1`,
    { id: proposalId, round },
  )
  if (!last) return 0
  requireConsistent([last], snapshot)
  return last.rank + 1
}

/** Rows with `from` ≤ rank < `to`, in order of rank. */
export const readBallots = async (
  reads: StoreReads,
  { proposalId, round, from, to }: RankRange,
): Promise<BallotRow[]> => {
  const { snapshot } = reads
  const rows = await selectRows<BallotRow>(
    reads,
    `SELECT * FROM ${buildLatestTable(snapshot, TABLE.ballots)}
     WHERE proposal_id = {id:UInt64} AND round = {round:UInt16}
       AND rank >= {from:UInt32} AND rank < {to:UInt32}
     ORDER BY rank`,
    { id: proposalId, round, from, to },
  )
  requireConsistent(rows, snapshot)
  return rows
}
