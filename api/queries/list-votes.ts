// A range of ranks of one vote: the page table in its own order.
import { type PoolVoteRow, TABLE } from '../../projections/contract/read-model.ts'
import { isSettled, READ_OPTIONS, type Reading } from './read.ts'

/** Proposal and round are the same in every row of a page. */
export type ListedVote = Omit<PoolVoteRow, 'proposal_id' | 'round'>
export type RankRange = { proposalId: string; round: number; from: number; to: number }

/** Rows with `from` ≤ rank < `to`, by rank. */
export const readPoolVotes = async (
  { store, served }: Reading,
  { proposalId, round, from, to }: RankRange,
): Promise<{ rows: ListedVote[]; isSettled: boolean }> => {
  const rows = await store.select<ListedVote>(
    `SELECT * EXCEPT (proposal_id, round) FROM ${served.database}.${TABLE.poolVotes} FINAL
     WHERE proposal_id = {id:UInt64} AND round = {round:UInt16}
       AND rank >= {from:UInt32} AND rank < {to:UInt32}
     ORDER BY rank`,
    { id: proposalId, round, from, to },
    READ_OPTIONS,
  )
  const newest = rows.reduce((latest, { version }) => {
    const position = BigInt(version)
    return position > latest ? position : latest
  }, 0n)
  const last = { proposal_id: proposalId, version: newest.toString() }
  return { rows, isSettled: isSettled([last], served) }
}
