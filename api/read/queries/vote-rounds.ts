// Reads the rounds of votes with their numbers of rows. It reads few columns, because whole proposals would cost as much as a page.
import { type ProposalRow, TABLE, type TallyRow } from '../../../projections/contract/read-model.ts'
import type { ReadConsistency } from '../query.ts'
import { buildLatestTable, READ_OPTIONS, type StoreReads } from './as-of.ts'
import { computeHeadConsistency } from './proposal-head.ts'

const OF_PROPOSAL = ['proposal_id', 'round', 'status', 'version'] as const
const OF_TALLY = [
  'proposal_id',
  'round',
  'pool_rows',
  'ballots',
  'final',
  'matches_chain_reason',
  'version',
] as const

type Proposal = Pick<ProposalRow, (typeof OF_PROPOSAL)[number]>
export type VoteRound = Pick<TallyRow, (typeof OF_TALLY)[number]>

export type VoteRounds = {
  /** The current round; 0 for a proposal without a vote. */
  current: number
  rounds: readonly VoteRound[]
  consistency: ReadConsistency
}

/** By proposal. Unknown proposals are omitted. */
export const readVoteRounds = async (
  { store, snapshot }: StoreReads,
  proposalIds: readonly string[],
): Promise<ReadonlyMap<string, VoteRounds>> => {
  const select = <Row>(table: string, columns: readonly (keyof Row & string)[]) =>
    store.select<Row>(
      `SELECT ${columns.join(', ')} FROM ${buildLatestTable(snapshot, table)}
       WHERE proposal_id IN {ids:Array(UInt64)}`,
      { ids: proposalIds.map(BigInt) },
      READ_OPTIONS,
    )
  const [proposals, tallies] = await Promise.all([
    select<Proposal>(TABLE.proposals, OF_PROPOSAL),
    select<VoteRound>(TABLE.tallies, OF_TALLY),
  ])
  return new Map(
    proposals.map((proposal) => {
      const rounds = tallies.filter((tally) => tally.proposal_id === proposal.proposal_id)
      const consistency = computeHeadConsistency(proposal, rounds, snapshot)
      return [proposal.proposal_id, { current: proposal.round, rounds, consistency }]
    }),
  )
}

export const findRound = ({ rounds }: VoteRounds, round: number): VoteRound | undefined =>
  rounds.find((each) => each.round === round)
