// Reads one proposal with the tallies of all its rounds.
import { boundText, MAX_SUMMARY_BYTES, MAX_TEXT_BYTES } from '../../../ingest/contract/bounds.ts'
import type { Selection } from '../../../projections/contract/table/define-table.ts'
import type { ProposalRow } from '../../../projections/contract/tables/proposals.ts'
import type { TallyRow } from '../../../projections/contract/tables/votes.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import {
  buildLatestTable,
  requireOneState,
  type StoreReads,
  selectFrom,
  takeCharacters,
} from './as-of.ts'
import { type LongField, readLongFields } from './message-bytes.ts'

/** Longer messages are replaced by an empty text, so they are not read. */
const MAX_MESSAGES_BYTES = 2 ** 20
/** A log of an earlier version can have longer texts. */
const TEXT_BYTES = {
  title: MAX_TEXT_BYTES,
  summary: MAX_SUMMARY_BYTES,
  metadata: MAX_TEXT_BYTES,
  failedReason: MAX_TEXT_BYTES,
} as const
/** One character more than the longest text with its "…", so that a longer text is recognized. */
const SHORTENED = Object.entries(TEXT_BYTES).map(
  ([name, bytes]) => [name, takeCharacters(bytes + 2)] as const,
)
const PROPOSAL = TABLES.proposals.except([], {
  ...Object.fromEntries(SHORTENED),
  messages: (column) => `if(length(${column}) <= ${MAX_MESSAGES_BYTES}, ${column}, '')`,
})

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
  const select = <Row>(selection: Selection<Row>, table: { name: string }, rest: string) =>
    selectFrom(
      reads,
      selection,
      `${buildLatestTable(snapshot, table)} WHERE proposal_id = {id:UInt64} ${rest}`,
      { id: proposalId },
    )
  const [[row], tallies] = await Promise.all([
    select(PROPOSAL, TABLES.proposals, ''),
    select(TABLES.tallies.all, TABLES.tallies, 'ORDER BY round'),
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
