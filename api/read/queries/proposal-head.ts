// Reads one proposal with the tallies of all its rounds.
import { boundText, MAX_SUMMARY_BYTES, MAX_TEXT_BYTES } from '../../../ingest/contract/bounds.ts'
import { type ProposalRow, TABLE, type TallyRow } from '../../../projections/contract/read-model.ts'
import { buildLatestTable, requireOneState, type StoreReads, selectRows } from './as-of.ts'
import { type LongField, readLongFields } from './message-bytes.ts'

/** Longer messages are replaced by an empty text, so they are not read. */
const MAX_MESSAGES_BYTES = 2 ** 20
const MESSAGES = `if(length(messages) <= ${MAX_MESSAGES_BYTES}, messages, '') AS messages`

/** A log of an earlier version can have longer texts. */
const TEXT_BYTES = {
  title: MAX_TEXT_BYTES,
  summary: MAX_SUMMARY_BYTES,
  metadata: MAX_TEXT_BYTES,
  failed_reason: MAX_TEXT_BYTES,
} as const
/** One character more than the longest text with its "…", so that a longer text is recognized. */
const TEXTS = Object.entries(TEXT_BYTES).map(
  ([column, bytes]) => `substringUTF8(${column}, 1, ${bytes + 2}) AS ${column}`,
)
const COLUMNS = `* REPLACE (${[MESSAGES, ...TEXTS].join(', ')})`

const boundTexts = (row: ProposalRow): ProposalRow => {
  const texts = Object.entries(TEXT_BYTES) as [keyof typeof TEXT_BYTES, number][]
  const bounded = texts.map(([name, bytes]) => {
    const text = row[name]
    return [name, text === null ? null : boundText(text, bytes)] as const
  })
  return bounded.every(([name, text]) => text === row[name])
    ? row
    : { ...row, ...Object.fromEntries(bounded) }
}

export type ProposalHead = {
  row: ProposalRow
  /** True if a text of the row is shortened. */
  isShortened: boolean
  tallies: readonly TallyRow[]
  /** The long fields of its messages. */
  longFields: readonly LongField[]
}

/** Undefined if the tables do not have the proposal. */
export const readProposalHead = async (
  reads: StoreReads,
  proposalId: string,
): Promise<ProposalHead | undefined> => {
  const { snapshot } = reads
  const select = <Row>(columns: string, table: string, rest: string) =>
    selectRows<Row>(
      reads,
      `SELECT ${columns} FROM ${buildLatestTable(snapshot, table)} WHERE proposal_id = {id:UInt64} ${rest}`,
      { id: proposalId },
    )
  const [[row], tallies] = await Promise.all([
    select<ProposalRow>(COLUMNS, TABLE.proposals, ''),
    select<TallyRow>('*', TABLE.tallies, 'ORDER BY round'),
  ])
  if (!row) return undefined
  requireOneState(row, tallies, snapshot)
  // Few proposals have long fields: all others need one query less.
  const longFields = row.messages.includes('"sha256"')
    ? await readLongFields(reads, proposalId)
    : []
  const bounded = boundTexts(row)
  return { row: bounded, isShortened: bounded !== row, tallies, longFields }
}

export const findTally = (head: ProposalHead, round: number): TallyRow | undefined =>
  head.tallies.find((tally) => tally.round === round)
