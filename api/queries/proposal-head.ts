// One proposal with the tallies of all its rounds.
import { type ProposalRow, TABLE, type TallyRow } from '../../projections/contract/read-model.ts'
import type { Verdict } from '../pages.ts'
import { isClosing, isSettled, READ_OPTIONS, type Reading } from './read.ts'

export type ProposalHead = { row: ProposalRow; tallies: readonly TallyRow[]; verdict: Verdict }

/** Undefined where the tables have no such proposal. */
export const readProposalHead = async (
  { store, served }: Reading,
  proposalId: string,
): Promise<ProposalHead | undefined> => {
  const select = <Row>(table: string, rest: string) =>
    store.select<Row>(
      `SELECT * FROM ${served.database}.${table} FINAL WHERE proposal_id = {id:UInt64} ${rest}`,
      { id: proposalId },
      READ_OPTIONS,
    )
  const [[row], tallies] = await Promise.all([
    select<ProposalRow>(TABLE.proposals, ''),
    select<TallyRow>(TABLE.tallies, 'ORDER BY round'),
  ])
  if (!row) return undefined
  const rows = [row, ...tallies]
  const verdict = isClosing(row, served)
    ? 'closing'
    : isSettled(rows, served)
      ? 'settled'
      : 'moving'
  return { row, tallies, verdict }
}

export const tallyOfRound = (head: ProposalHead, round: number): TallyRow | undefined =>
  head.tallies.find((tally) => tally.round === round)
