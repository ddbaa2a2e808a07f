// A range of ranks of one vote: the page table in its own order.
import { TABLE } from '../../projections/contract/read-model.ts'
import { isSettled, READ_OPTIONS, type Reading } from './read.ts'

export type RankRange = { proposalId: string; round: number; from: number; to: number }

const SEPARATOR = '\t'

/** Rows from before records were stored are spelled while they are read: then as the others were. */
const AS_STORED = {
  ...READ_OPTIONS,
  settings: { ...READ_OPTIONS.settings, output_format_json_escape_forward_slashes: 1 },
} as const

/** JSON has no bare tab: what stands before the first one is the version. */
const splitLine = (line: string): { version: bigint; record: string } => {
  const at = line.indexOf(SEPARATOR)
  return { version: BigInt(line.slice(0, at)), record: line.slice(at + 1) }
}

/** Vote records as JSON texts with `from` ≤ rank < `to`, by rank. */
export const readPoolVotes = async (
  { store, served }: Reading,
  { proposalId, round, from, to }: RankRange,
): Promise<{ records: string[]; isSettled: boolean }> => {
  const lines = await store.selectLines(
    `SELECT version, record FROM ${served.database}.${TABLE.poolVotes} FINAL
     WHERE proposal_id = {id:UInt64} AND round = {round:UInt16}
       AND rank >= {from:UInt32} AND rank < {to:UInt32}
     ORDER BY rank`,
    { id: proposalId, round, from, to },
    AS_STORED,
  )
  let newest = 0n
  const records = lines.map((line) => {
    const { version, record } = splitLine(line)
    if (version > newest) newest = version
    return record
  })
  const last = { proposal_id: proposalId, version: newest.toString() }
  return { records, isSettled: isSettled([last], served) }
}
