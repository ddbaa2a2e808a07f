// What a page of a vote needs to know of its proposal: which rounds were held, and how many rows each has. One question,
// of few columns: with the whole proposal it would cost as much as the page itself.
import { type ProposalRow, TABLE, type TallyRow } from '../../projections/contract/read-model.ts'
import type { Verdict } from '../pages/pages.ts'
import { headVerdict } from './proposal-head.ts'
import { READ_OPTIONS, type Reading } from './read.ts'

const OF_TALLY = [
  'round',
  'pool_rows',
  'ballots',
  'final',
  'matches_chain_reason',
  'version',
] as const satisfies readonly (keyof TallyRow)[]

export type VoteRound = Pick<TallyRow, (typeof OF_TALLY)[number]>

export type VoteRounds = {
  /** The current one; 0 where no vote was held yet. */
  current: number
  rounds: readonly VoteRound[]
  verdict: Verdict
}

type Row = Pick<ProposalRow, 'proposal_id' | 'round' | 'status' | 'version'> & {
  tallies: [number, number, number | null, boolean, string | null, string][]
}

/** Undefined where the tables have no such proposal. */
export const readVoteRounds = async (
  { store, served }: Reading,
  proposalId: string,
): Promise<VoteRounds | undefined> => {
  const { database } = served
  const [row] = await store.select<Row>(
    `SELECT proposal_id, round, status, version,
       (SELECT groupArray((${OF_TALLY.join(', ')})) FROM ${database}.${TABLE.tallies} FINAL
        WHERE proposal_id = {id:UInt64}) AS tallies
     FROM ${database}.${TABLE.proposals} FINAL WHERE proposal_id = {id:UInt64}`,
    { id: proposalId },
    READ_OPTIONS,
  )
  if (!row) return undefined
  const rounds = row.tallies.map(
    ([round, rows, ballots, final, reason, version]): VoteRound => ({
      ...{ round, pool_rows: rows, ballots, final },
      ...{ matches_chain_reason: reason, version },
    }),
  )
  return { current: row.round, rounds, verdict: headVerdict(row, rounds, served) }
}

export const roundIn = ({ rounds }: VoteRounds, round: number): VoteRound | undefined =>
  rounds.find((held) => held.round === round)
