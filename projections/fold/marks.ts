// Marks what changed: its rows are created again with the next commit.
import type { ProposalState } from '../../ingest/contract/facts.ts'
import { type EventPosition, later } from './event-position.ts'
import type { FoldState, OpenProposal } from './state.ts'
import { isImpossibleTime } from './timestamps.ts'
import type { VotingRound } from './voting-round.ts'

export const markShown = (state: FoldState, proposal: OpenProposal, at: EventPosition): void => {
  proposal.shownAt = later(proposal.shownAt, at)
  state.changed.watermarks.add(proposal)
}

const addReason = (proposal: OpenProposal, reason: string, at: EventPosition): boolean => {
  if (proposal.partialReasons.includes(reason)) return false
  proposal.partialReasons.push(reason)
  proposal.at = later(proposal.at, at)
  return true
}

/** Times of the node that are not valid dates: their columns are NULL. */
const impossibleTimes = (state: ProposalState): string[] => {
  const times = [
    ['submit time', state.submitTime],
    ['end of the deposit period', state.depositEndTime],
    ['start of the voting period', state.votingStartTime],
    ['end of the voting period', state.votingEndTime],
  ] as const
  return times
    .filter(([, time]) => isImpossibleTime(time))
    .map(([name]) => `the ${name} from the node is not a valid time`)
}

/** What is known now is no part of the reasons any more. */
export function removeReasons(
  { partialReasons }: OpenProposal,
  removed: readonly (string | null)[],
): void {
  for (const reason of removed) {
    const at = reason === null ? -1 : partialReasons.indexOf(reason)
    if (at >= 0) partialReasons.splice(at, 1)
  }
}

export const markProposal = (state: FoldState, proposal: OpenProposal, at: EventPosition): void => {
  proposal.at = later(proposal.at, at)
  for (const reason of impossibleTimes(proposal.state)) addReason(proposal, reason, at)
  state.changed.proposals.add(proposal)
  markShown(state, proposal, at)
}

export const markRound = (
  state: FoldState,
  [round, proposal]: readonly [VotingRound, OpenProposal],
  at: EventPosition,
): void => {
  round.advanceTo(at)
  state.changed.rounds.add(round)
  markShown(state, proposal, round.at)
}

export const markPartial = (
  state: FoldState,
  proposal: OpenProposal,
  { reason, at }: { reason: string; at: EventPosition },
): void => {
  if (addReason(proposal, reason, at)) markProposal(state, proposal, at)
}
