// A range of ranks of one vote: the page table in its own order, put together page by page where it is read.
import { TABLE } from '../../projections/contract/read-model.ts'
import { latestOf, READ_OPTIONS, type Reading } from './read.ts'

/** Ranks from `from` up to `to`, which it leaves out. */
export type RankRange = { proposalId: string; round: number; from: number; to: number }

/** What stands after a record. JSON has none of the first two bare, and a tab there says nothing to who reads JSON. */
const UNSETTLED = '\t'
const CHUNK_END = '\n'
const COMMA = ','

/** Rows from before records were stored are spelled while they are read: then as the others were. */
const AS_STORED = {
  ...READ_OPTIONS,
  settings: { ...READ_OPTIONS.settings, output_format_json_escape_forward_slashes: 1 },
} as const

const chunksOf = (answer: Buffer): Buffer[] => {
  const chunks: Buffer[] = []
  for (let start = 0; start < answer.length; ) {
    const end = answer.indexOf(CHUNK_END, start)
    const isLast = end === -1
    // A copy: whoever keeps one chunk is not to keep the whole answer. The last one ends with a comma.
    const chunk = answer.subarray(start, isLast ? answer.length - COMMA.length : end)
    chunks.push(Buffer.from(chunk))
    start = isLast ? answer.length : end + CHUNK_END.length
  }
  return chunks
}

/** Vote records as JSON with commas between them, by rank, in chunks of `size`. Unsettled where one is newer than what may be served. */
export const readPoolVotes = async (
  { store, served }: Reading,
  { proposalId, round, from, to }: RankRange,
  size: number,
): Promise<{ chunks: Buffer[]; isSettled: boolean }> => {
  const settled = served.watermarks.get(proposalId)?.position ?? 0n
  const answer = await store.selectBytes(
    `SELECT record, if(version > {settled:UInt64}, {unsettled:String}, ''),
       if((rank - {from:UInt32} + 1) % {size:UInt32} = 0, {chunkEnd:String}, {comma:String})
     FROM ${latestOf(served, TABLE.poolVotes)}
     WHERE proposal_id = {id:UInt64} AND round = {round:UInt16}
       AND rank >= {from:UInt32} AND rank < {to:UInt32}
     ORDER BY rank
     FORMAT RawBLOB`,
    {
      ...{ id: proposalId, round, from, to, size, settled: settled.toString() },
      ...{ unsettled: UNSETTLED, chunkEnd: CHUNK_END, comma: COMMA },
    },
    AS_STORED,
  )
  return { chunks: chunksOf(answer), isSettled: !answer.includes(UNSETTLED) }
}
