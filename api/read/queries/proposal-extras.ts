// Reads the data that only the HTML page of a proposal has: rounds, both tallies, turnout over time and non-voting pools.
import type { Static } from 'typebox'
import type { TallyRow } from '../../../projections/contract/tables/votes.ts'
import type { OptionSums } from '../../schemas/vote.ts'
import type { StoreReads } from './as-of.ts'
import { type NonVotingPools, readPoolPowers } from './non-voting-pools.ts'
import type { PowerMap } from './power-map.ts'
import { findTally, type ProposalHead } from './proposal.ts'
import { readTurnoutSeries, type TurnoutSeries } from './turnout.ts'
import { formatAmount, formatPower } from './values.ts'

type Sums = Static<typeof OptionSums>

export type ProposalExtras = {
  /** Rounds with a vote, in order. */
  rounds: number[]
  /** The round on the page; 0 for a proposal without a vote. */
  shownRound: number
  /** The tally computed from events and the tally of the chain; null without a vote. */
  compared: { computed: Sums; chain: Sums } | null
  turnoutSeries: TurnoutSeries | null
  nonVotingPools: NonVotingPools | null
  /** Voting power per validator; null without a vote. */
  powerMap: PowerMap | null
}

const toComparedTallies = (row: TallyRow): ProposalExtras['compared'] => ({
  computed: {
    yes: formatPower(row.liveYes),
    no: formatPower(row.liveNo),
    abstain: formatPower(row.liveAbstain),
    noWithVeto: formatPower(row.liveNoWithVeto),
  },
  chain: {
    yes: formatAmount(row.chainYes),
    no: formatAmount(row.chainNo),
    abstain: formatAmount(row.chainAbstain),
    noWithVeto: formatAmount(row.chainNoWithVeto),
  },
})

export const readExtras = async (
  reads: StoreReads,
  head: ProposalHead,
  shownRound: number,
): Promise<ProposalExtras> => {
  const tally = findTally(head, shownRound)
  const rounds = head.tallies.map(({ round }) => round)
  const nothing = { compared: null, turnoutSeries: null, nonVotingPools: null, powerMap: null }
  if (!tally) return { rounds, shownRound, ...nothing }
  const vote = { proposalId: head.row.proposalId, round: shownRound, tally }
  const [turnoutSeries, powers] = await Promise.all([
    readTurnoutSeries(reads, { row: head.row, round: shownRound, tally }),
    readPoolPowers(reads, vote),
  ])
  return {
    rounds,
    shownRound,
    compared: toComparedTallies(tally),
    turnoutSeries: turnoutSeries ?? null,
    ...powers,
  }
}
