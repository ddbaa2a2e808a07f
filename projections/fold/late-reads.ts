// The facts that an event lacks until a later state fills them in. A proposal that ended waits for them beside the open ones.
import type { EventOf, GovernanceEvent } from '../../ingest/contract/events.ts'
import { findMissingFacts, LATE_READS_MS, learnProposal } from '../../ingest/contract/late-reads.ts'
import type { EventPosition } from './event-position.ts'
import { markProposal, markRound, markShown, removeReasons } from './marks.ts'
import { messagesJson } from './rows/proposals.ts'
import type { FoldState, Incomplete, OpenProposal } from './state.ts'
import type { VotingRound } from './voting-round.ts'

export type LateFacts = EventOf<'rollcall.proposal.read-late.v1'>['data']

/** The changes of an event that lacks facts of a later state. */
export type FactsMissing = {
  kind: 'facts_missing'
  proposalId: string
  round: number
  incomplete: Omit<Incomplete, 'vote'>
}

type Reasons = { proposalReason?: string | null; unavailableReason?: string | null }

/** Empty if the event lacks nothing that can come later, or if it changes nothing. */
export const findFactsMissing = (
  event: GovernanceEvent,
  changesAnything: boolean,
): FactsMissing[] => {
  const missing = changesAnything ? findMissingFacts(event) : undefined
  if (!missing || !('proposalId' in event.data) || event.data.proposalId === null) return []
  const { proposalReason = null, unavailableReason = null } = event.data as Reasons
  const round = 'round' in event.data ? event.data.round : 0
  const timeMs = Date.parse(event.time)
  const incomplete = { id: event.id, timeMs, missing, proposalReason, unavailableReason }
  return [{ kind: 'facts_missing', proposalId: event.data.proposalId, round, incomplete }]
}

/** An open proposal, or one that ended and is incomplete. */
export const findIncomplete = (
  { proposals, awaited }: FoldState,
  proposalId: string,
): OpenProposal | undefined => proposals.get(proposalId) ?? awaited.get(proposalId)

const findEnded = (
  { endedRounds }: FoldState,
  { proposalId }: OpenProposal,
  round: number,
): VotingRound | undefined =>
  [...endedRounds.keys()].find(
    (vote) => vote.proposalId === proposalId && vote.round === Math.max(round, 1),
  )

export const addIncomplete = (
  state: FoldState,
  proposal: OpenProposal,
  { round, incomplete }: FactsMissing,
): void => {
  const vote = findEnded(state, proposal, round)
  proposal.incomplete = [...proposal.incomplete, { ...incomplete, vote }]
}

/** The end of a round with the late facts. `isWhole` if nothing of it is unknown any more. */
const completeRound = (
  { end }: VotingRound,
  facts: LateFacts,
): { end: NonNullable<typeof end>; isWhole: boolean } | undefined => {
  if (!end) return undefined
  const chain = end.chain ?? facts.finalTally
  const params = end.params ?? facts.params
  const isWhole = chain !== null && params !== null && end.bondedTokens !== null
  const unavailableReason = isWhole ? null : (facts.unavailableReason ?? end.unavailableReason)
  return { end: { ...end, chain, params, unavailableReason }, isWhole }
}

export const completeProposal = (
  state: FoldState,
  proposal: OpenProposal,
  { facts, at }: { facts: LateFacts; at: EventPosition },
): void => {
  const incomplete = proposal.incomplete.find(({ id }) => id === facts.completes)
  if (!incomplete) return
  const { vote, unavailableReason } = incomplete
  // The state of the proposal is what the other events lack, too.
  const reasons = proposal.incomplete.map(({ proposalReason }) => proposalReason)
  removeReasons(proposal, reasons)
  proposal.incomplete = proposal.incomplete.filter((each) => each !== incomplete)
  proposal.incomplete = learnProposal(proposal.incomplete)
  if (facts.messages) proposal.messages = messagesJson(facts.messages)
  const completed = vote && completeRound(vote, facts)
  if (vote && completed) {
    vote.end = completed.end
    if (completed.isWhole) removeReasons(proposal, [unavailableReason])
    markRound(state, [vote, proposal], at)
  }
  markProposal(state, proposal, at)
}

/** After each height: facts that did not come in time will not come. */
export const giveUpLateFacts = (state: FoldState, at: EventPosition): void => {
  const nowMs = Date.parse(at.time)
  for (const [proposalId, proposal] of state.awaited) {
    const kept = proposal.incomplete.filter(({ timeMs }) => nowMs - timeMs <= LATE_READS_MS)
    if (kept.length > 0 && kept.length === proposal.incomplete.length) continue
    proposal.incomplete = kept
    if (kept.length > 0) continue
    state.awaited.delete(proposalId)
    markShown(state, proposal, at)
  }
}
