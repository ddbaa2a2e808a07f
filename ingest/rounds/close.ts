// What a tally of the chain ended with: the proposal, and the chain's own result.
import {
  type Answer,
  isKnown,
  known,
  reasonOrNull,
  unavailable,
  valueOrNull,
} from '../chain/answer.ts'
import type { ProposalState, TallyCounts } from '../contract/facts.ts'
import type { ChainStates } from '../heights/height-state.ts'
import type { PlannedFact } from '../heights/plan.ts'
import { type ProposalAsOfHeight, readProposalAtHeight } from '../proposals/proposal.ts'
import type { EndedFact } from './state-at-tally.ts'

export type CloseData = ProposalAsOfHeight & {
  round: number
  log: string | null
  finalTally: TallyCounts | null
  unavailableReason: string | null
}

/** Whether no option has power. */
export const isZero = (counts: TallyCounts): boolean =>
  Object.values(counts).every((count) => count === null || count === '0')

const NO_VOTES: TallyCounts = { yes: '0', abstain: '0', no: '0', noWithVeto: '0' }

/** The final tally in a state of the proposal; `isRestart`: it has just been tallied, or is in the round after that. */
const readFinalTally = (
  { finalTally }: ProposalState,
  { isRestart }: { isRestart: boolean },
): Answer<TallyCounts> => {
  if (finalTally) return known(finalTally)
  // In an open proposal zeros mean "not tallied"; a restarted proposal was tallied.
  return isRestart
    ? known(NO_VOTES)
    : unavailable('the state of the chain has no final tally of the proposal')
}

const finalTallyAtHeight = async (
  state: ChainStates,
  fact: EndedFact,
): Promise<Answer<TallyCounts>> => {
  const answer = await state.after.proposal(fact.proposalId)
  // During a vote the node computes a new count for each query: there is no final tally.
  if (!isKnown(answer)) {
    return fact.kind === 'closed' ? await state.after.tally(fact.proposalId) : answer
  }
  return readFinalTally(answer.value.proposal, { isRestart: fact.kind === 'restarted' })
}

/** A proposal that never reached a vote has no ballots to count. */
const NO_VOTE = unavailable('there was no vote')

export const closeData = async (
  state: ChainStates,
  { fact, round }: Pick<PlannedFact, 'round'> & { fact: EndedFact },
): Promise<CloseData> => {
  const [proposal, tally] = await Promise.all([
    readProposalAtHeight(state, fact.proposalId),
    round > 0 ? finalTallyAtHeight(state, fact) : NO_VOTE,
  ])
  return {
    ...proposal,
    round,
    log: fact.log,
    finalTally: valueOrNull<TallyCounts>(tally),
    unavailableReason: reasonOrNull(tally),
  }
}
