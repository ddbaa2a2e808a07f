// What an event lacks because no state was readable at its height. A later reading of the proposal has it; until then a proposal that
// ended waits beside the open ones.
import type { ProposalState } from '../../ingest/contract/facts.ts'
import type { EventPosition } from './event-position.ts'
import { markRound, markShown, removeReasons } from './marks.ts'
import type { FoldState, OpenProposal, Unread } from './state.ts'

/** Ingest reads such a proposal again for so long. */
const UNREAD_MS = 7 * 86_400_000

/** An open proposal, or one that ended and waits. */
export const findWaiting = (
  { proposals, awaited }: FoldState,
  proposalId: string,
): OpenProposal | undefined => proposals.get(proposalId) ?? awaited.get(proposalId)

/** The state was read: what is still missing. */
export const learnState = (proposal: OpenProposal): void => {
  const isLearned = ({ lacks }: Unread) => lacks === 'state'
  removeReasons(
    proposal,
    proposal.unread.filter(isLearned).map(({ reason }) => reason),
  )
  proposal.unread = proposal.unread.filter((each) => !isLearned(each))
}

/** A reading of the proposal with all that earlier events lack. */
export const completeProposal = (
  state: FoldState,
  proposal: OpenProposal,
  { read, at }: { read: ProposalState; at: EventPosition },
): void => {
  removeReasons(
    proposal,
    proposal.unread.map(({ reason }) => reason),
  )
  proposal.unread = []
  const { untallied: vote } = proposal
  if (!vote?.end || !read.finalTally) return
  const { params, bondedTokens, unavailableReason } = vote.end
  const isWhole = params !== null && bondedTokens !== null
  if (isWhole) removeReasons(proposal, [unavailableReason])
  const reason = isWhole ? null : unavailableReason
  vote.end = { ...vote.end, chain: read.finalTally, unavailableReason: reason }
  proposal.untallied = undefined
  markRound(state, [vote, proposal], at)
}

/** After each height: what did not come in time will not come. */
export const giveUpUnread = (state: FoldState, at: EventPosition): void => {
  const nowMs = Date.parse(at.time)
  for (const [proposalId, proposal] of state.awaited) {
    const { closed, unread } = proposal
    const isOver = nowMs - Date.parse(closed?.time ?? at.time) > UNREAD_MS
    if (unread.length > 0 && !isOver) continue
    proposal.unread = []
    state.awaited.delete(proposalId)
    markShown(state, proposal, at)
  }
}
