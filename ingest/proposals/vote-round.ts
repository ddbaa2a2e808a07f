// Finds the voting round of a proposal in state: state does not contain the number of rounds. Pure.
import type { ProposalContent } from '../chain/proposal-content.ts'
import { secondsAfter, toEpochMs } from '../chain/time.ts'
import type { Coin, GovParams } from '../contract/facts.ts'

/** `roundReason`: why `round` is only a lower bound; absent if the round is known. */
export type KnownRound = { round: number; roundReason?: string }

/** The parameters, and a time that is not before the state's. */
export type StateContext = { params: GovParams | null; time: string }

const lacks = (deposit: readonly Coin[], { denom, amount }: Coin): boolean => {
  const paid = deposit.find((coin) => coin.denom === denom)?.amount ?? '0'
  return BigInt(paid) < BigInt(amount)
}

type State = ProposalContent['proposal']

/** Before SDK 0.50 there are no expedited votes. */
const hasExpeditedVotes = ({ params }: StateContext): boolean =>
  params === null || params.expeditedVotingPeriodSeconds !== null

/**
 * True if no expedited vote can have failed before. Such a vote needs its own minimum deposit, and ends only
 * after its period.
 */
const isFirstRound = (
  { votingStartTime, totalDeposit }: State,
  { params, time }: StateContext,
): boolean => {
  if (!params || votingStartTime === null || params.expeditedVotingPeriodSeconds === null) {
    return false
  }
  const end = secondsAfter(votingStartTime, params.expeditedVotingPeriodSeconds)
  const isInPeriod = end !== null && toEpochMs(time) < toEpochMs(end)
  return isInPeriod || params.expeditedMinDeposit.some((coin) => lacks(totalDeposit, coin))
}

export const roundInState = ({ proposal }: ProposalContent, context: StateContext): KnownRound => {
  if (proposal.votingStartTime === null) return { round: 0 }
  const isOpen = proposal.status === 'voting_period'
  // The tally of a failed expedited vote stays until the next tally.
  if (isOpen && proposal.finalTally !== null) return { round: 2 }
  if (proposal.expedited || !hasExpeditedVotes(context)) return { round: 1 }
  if (isOpen && isFirstRound(proposal, context)) return { round: 1 }
  const which = isOpen ? 'an expedited vote without votes' : 'an expedited vote'
  return {
    round: 1,
    roundReason: `the chain’s state does not say whether ${which} fell back before this one`,
  }
}
