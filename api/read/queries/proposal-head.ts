// Reads one proposal with the tallies of all its rounds.
import type { Selection } from '../../../projections/contract/table/define-table.ts'
import type { ProposalRow } from '../../../projections/contract/tables/proposals.ts'
import type { TallyRow } from '../../../projections/contract/tables/votes.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import { buildLatestTable, requireOneState, type StoreReads, selectFrom } from './as-of.ts'
import { type LongField, readLongFields } from './message-bytes.ts'

/** Longer messages are replaced by an empty text, so they are not read. */
const MAX_MESSAGES_BYTES = 2 ** 20
const PROPOSAL = TABLES.proposals.except([], {
  messages: (column) => `if(length(${column}) <= ${MAX_MESSAGES_BYTES}, ${column}, '')`,
})

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
  return { row, tallies, longFields }
}

export const findTally = (head: ProposalHead, round: number): TallyRow | undefined =>
  head.tallies.find((tally) => tally.round === round)
