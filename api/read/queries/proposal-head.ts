// Reads one proposal with the tallies of all its rounds.
import { type ProposalRow, TABLE, type TallyRow } from '../../../projections/contract/read-model.ts'
import type { ReadConsistency } from '../query.ts'
import type { Snapshot } from '../snapshot.ts'
import {
  buildLatestTable,
  isConsistent,
  isFinalizing,
  READ_OPTIONS,
  type StoreReads,
} from './as-of.ts'
import { type LongField, readLongFields } from './message-bytes.ts'

/** The longest JSON of messages in a response. A log of an early version can have longer messages. */
const MAX_MESSAGES_BYTES = 2 ** 20

/** Longer messages are replaced by an empty text, so they are not read. */
const COLUMNS = `* REPLACE (if(length(messages) <= ${MAX_MESSAGES_BYTES}, messages, '') AS messages)`

export type ProposalHead = {
  row: ProposalRow
  tallies: readonly TallyRow[]
  /** The long fields of its messages. */
  longFields: readonly LongField[]
  consistency: ReadConsistency
}

/** A proposal and its tallies must have one state, otherwise they are read again. */
export const computeHeadConsistency = (
  proposal: Pick<ProposalRow, 'proposal_id' | 'status' | 'version'>,
  tallies: readonly Pick<TallyRow, 'version'>[],
  snapshot: Snapshot,
): ReadConsistency => {
  if (isFinalizing(proposal, snapshot)) return 'finalizing'
  const { proposal_id } = proposal
  const rows = [proposal, ...tallies].map(({ version }) => ({ proposal_id, version }))
  return isConsistent(rows, snapshot) ? 'consistent' : 'inFlight'
}

/** Undefined if the tables do not have the proposal. */
export const readProposalHead = async (
  reads: StoreReads,
  proposalId: string,
): Promise<ProposalHead | undefined> => {
  const { store, snapshot } = reads
  const select = <Row>(columns: string, table: string, rest: string) =>
    store.select<Row>(
      `SELECT ${columns} FROM ${buildLatestTable(snapshot, table)} WHERE proposal_id = {id:UInt64} ${rest}`,
      { id: proposalId },
      READ_OPTIONS,
    )
  const [[row], tallies] = await Promise.all([
    select<ProposalRow>(COLUMNS, TABLE.proposals, ''),
    select<TallyRow>('*', TABLE.tallies, 'ORDER BY round'),
  ])
  if (!row) return undefined
  // Few proposals have long fields: all others need one query less.
  const longFields = row.messages.includes('"sha256"')
    ? await readLongFields(reads, proposalId)
    : []
  return { row, tallies, longFields, consistency: computeHeadConsistency(row, tallies, snapshot) }
}

export const findTally = (head: ProposalHead, round: number): TallyRow | undefined =>
  head.tallies.find((tally) => tally.round === round)
