// Reads one proposal with the tallies of all its rounds.
import { type ProposalRow, TABLE, type TallyRow } from '../../../projections/contract/read-model.ts'
import { buildLatestTable, requireOneState, type StoreReads, selectRows } from './as-of.ts'
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
  return { row, tallies, longFields }
}

export const findTally = (head: ProposalHead, round: number): TallyRow | undefined =>
  head.tallies.find((tally) => tally.round === round)
