// One proposal with the tallies of all its rounds.
import { type ProposalRow, TABLE, type TallyRow } from '../../projections/contract/read-model.ts'
import type { Verdict } from '../pages/page-kind.ts'
import type { Served } from '../served/served.ts'
import { isClosing, isSettled, READ_OPTIONS, type Reading } from './read.ts'

export type ProposalHead = { row: ProposalRow; tallies: readonly TallyRow[]; verdict: Verdict }

/** A proposal and its tallies are served at one state, or read again. */
export const headVerdict = (
  proposal: Pick<ProposalRow, 'proposal_id' | 'status' | 'version'>,
  tallies: readonly Pick<TallyRow, 'version'>[],
  served: Served,
): Verdict => {
  if (isClosing(proposal, served)) return 'closing'
  const { proposal_id } = proposal
  const rows = [proposal, ...tallies].map(({ version }) => ({ proposal_id, version }))
  return isSettled(rows, served) ? 'settled' : 'moving'
}

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
  return { row, tallies, verdict: headVerdict(row, tallies, served) }
}

export const tallyOfRound = (head: ProposalHead, round: number): TallyRow | undefined =>
  head.tallies.find((tally) => tally.round === round)
