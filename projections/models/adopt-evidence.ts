// Puts a tally's evidence in the place of what was folded of its round: ballots, stake, who voted for which pool.
// Ranks stay; what only the evidence knows is ranked behind them.
import type { ExactBallot, ExactTally } from './exact-tally.ts'
import { later, type Moment } from './moment.ts'
import { optionTuples } from './option-tuples.ts'
import { type Ballot, type FoldedVote, rankedEntries, touch } from './vote-state.ts'

/** A ballot whose vote was never seen: only that it counted is known. */
const unseenBallot = (state: FoldedVote, told: ExactBallot, moment: Moment): Ballot => ({
  voter: told.voter,
  options: told.options,
  counted: true,
  height: null,
  time: null,
  txHash: null,
  delegations: told.delegations,
  rank: state.nextBallotRank++,
  moment,
  weights: [],
  ownPool: undefined,
  power: undefined,
  tuples: undefined,
})

const adoptBallot = (state: FoldedVote, told: ExactBallot, moment: Moment): Ballot => {
  const ballot = state.ballots.get(told.voter) ?? unseenBallot(state, told, moment)
  ballot.options = optionTuples(told.options)
  ballot.delegations = told.delegations
  ballot.power = told.power
  ballot.tuples = told.tuples
  ballot.moment = later(ballot.moment, moment)
  state.ballots.set(told.voter, ballot)
  state.dirtyBallots.add(ballot)
  return ballot
}

/** Takes whole evidence only. */
export const adoptEvidence = (state: FoldedVote, exact: ExactTally, moment: Moment): void => {
  const { operated, delegatorBallots } = exact
  state.exact = exact
  state.moment = later(state.moment, moment)
  state.unknownBallots = 0
  state.unknownVoters = 0
  const ownVotes = new Map<string, Ballot>()
  for (const told of exact.ballots) {
    const ballot = adoptBallot(state, told, moment)
    ballot.ownPool = operated.get(told.voter)
    if (ballot.ownPool !== undefined) ownVotes.set(ballot.ownPool, ballot)
  }
  rankedEntries(state, [...new Set([...ownVotes.keys(), ...delegatorBallots.keys()])], moment)
  for (const entry of state.entries.values()) {
    entry.ownVote = ownVotes.get(entry.operatorAddress)
    entry.delegatorBallots = delegatorBallots.get(entry.operatorAddress) ?? 0
    touch(state, entry, moment)
  }
}
