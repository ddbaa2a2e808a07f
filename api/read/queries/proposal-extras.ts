// Reads the data that only the HTML page of a proposal has: rounds, both tallies, turnout over time and non-voting pools.
import type { Static } from 'typebox'
import type { TallyRow } from '../../../projections/contract/read-model.ts'
import type { OptionSums } from '../../schemas/vote.ts'
import type { StoreReads } from './as-of.ts'
import { type NonVotingPools, readNonVotingPools } from './non-voting-pools.ts'
import { type PowerMap, readPowerMap } from './power-map.ts'
import { findTally, type ProposalHead } from './proposal-head.ts'
import { readTurnoutSeries, type TurnoutSeries } from './turnout-series.ts'
import { formatPower } from './values.ts'

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
    yes: formatPower(row.live_yes_atto),
    no: formatPower(row.live_no_atto),
    abstain: formatPower(row.live_abstain_atto),
    noWithVeto: formatPower(row.live_no_with_veto_atto),
  },
  chain: {
    yes: row.chain_yes,
    no: row.chain_no,
    abstain: row.chain_abstain,
    noWithVeto: row.chain_no_with_veto,
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
  const vote = { proposalId: head.row.proposal_id, round: shownRound, tally }
  const [turnoutSeries, nonVotingPools, powerMap] = await Promise.all([
    readTurnoutSeries(reads, { row: head.row, round: shownRound, tally }),
    readNonVotingPools(reads, vote),
    readPowerMap(reads, vote),
  ])
  return {
    rounds,
    shownRound,
    compared: toComparedTallies(tally),
    turnoutSeries: turnoutSeries ?? null,
    nonVotingPools,
    powerMap,
  }
}
