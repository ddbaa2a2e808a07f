// The changes of an event as data, and their application to the state.
import { Value } from 'typebox/value'
import type { GovParams, ProposalState } from '../../ingest/contract/facts.ts'
import { listKinds } from '../../ingest/contract/gov-type.ts'
import type { ReadVote, RoundEnd } from './ballot.ts'
import type { EventPosition } from './event-position.ts'
import { completeProposal, findWaiting, learnState } from './late-reads.ts'
import { markPartial, markProposal, markRound, removeReasons } from './marks.ts'
import { findUntallied, type Reading } from './reading.ts'
import { blankProposal, type FoldState, type OpenProposal, type Unread } from './state.ts'
import { VotingRound } from './voting-round.ts'

/** Members of a proposal that are not in the chain's own state. */
type OwnMembers = Partial<
  Pick<
    OpenProposal,
    | 'messages'
    | 'observed'
    | 'submitted'
    | 'depositParams'
    | 'round'
    | 'roundReason'
    | 'closed'
    | 'reconstructed'
  >
>

export type Change =
  /** An event names a proposal that has no earlier event. */
  | { kind: 'proposal_found'; proposalId: string; status: string }
  | { kind: 'proposal_introduced'; proposal: ProposalState }
  /** The state of the proposal was read again. */
  | { kind: 'proposal_read'; proposal: ProposalState }
  | {
      kind: 'proposal_changed'
      proposalId: string
      own?: OwnMembers
      state?: Partial<ProposalState>
    }
  /** `lacks`: what a later reading of the proposal has. */
  | { kind: 'history_partial'; proposalId: string; reason: string; lacks?: Unread['lacks'] }
  /** The state has all that earlier events lack. */
  | { kind: 'proposal_completed'; proposalId: string; read: ProposalState }
  /** `isWhole` is false if its beginning was not indexed. */
  | { kind: 'round_begun'; proposalId: string; round: number; isWhole: boolean }
  /** An expedited vote failed: the proposal gets another vote. */
  | { kind: 'round_fell_back'; proposalId: string }
  | { kind: 'ballot_cast'; proposalId: string; vote: ReadVote }
  | { kind: 'ballot_unknown'; proposalId: string }
  /** A reading of an open round; or only when its ballots were cast. */
  | { kind: 'round_read' | 'ballots_dated'; proposalId: string; reading: Reading }
  | { kind: 'round_ended'; proposalId: string; end: RoundEnd }
  /** `isDeleted`: no later state of the chain has it. */
  | { kind: 'proposal_closed'; proposalId: string; isDeleted: boolean }

/** A change of one open proposal, or of its current round. */
type ProposalChange = Exclude<Change, { kind: 'proposal_introduced' | 'proposal_found' }>

/** The position of a change in the log and on the chain. */
export type Origin = { at: EventPosition; offset: bigint }

const introduce = (state: FoldState, introduced: ProposalState, origin: Origin): void => {
  const { proposalId } = introduced
  if (state.proposals.has(proposalId)) return
  const { at, offset } = origin
  const proposal: OpenProposal = {
    proposalId,
    state: introduced,
    messages: '[]',
    observed: [],
    round: 0,
    roundReason: null,
    submitted: undefined,
    depositParams: undefined,
    closed: undefined,
    reconstructed: null,
    partialReasons: [],
    unread: [],
    untallied: undefined,
    vote: undefined,
    at,
    shownAt: at,
    firstOffset: offset,
  }
  state.proposals.set(proposalId, proposal)
  markProposal(state, proposal, at)
}

const readProposal = (proposal: OpenProposal, read: ProposalState): void => {
  // Before SDK 0.47 the state does not name the proposer, only the submission does.
  proposal.state = { ...read, proposer: read.proposer ?? proposal.state.proposer }
  const { vote } = proposal
  if (!vote || vote.end) return
  vote.isExpedited = read.expedited
  vote.kinds = listKinds(read)
}

const beginRound = (
  state: FoldState,
  proposal: OpenProposal,
  { round, isWhole }: Change & { kind: 'round_begun' },
  at: EventPosition,
): void => {
  const { proposalId } = proposal
  const of = {
    proposalId,
    round,
    isExpedited: proposal.state.expedited,
    kinds: listKinds(proposal.state),
  }
  const vote = new VotingRound(of, at, proposal.vote)
  proposal.vote = vote
  proposal.round = round
  markProposal(state, proposal, at)
  if (!isWhole) {
    vote.castUnknown(at)
    const reason = `the beginning of voting round ${round} was not read`
    markPartial(state, proposal, { reason, at })
  }
  markRound(state, [vote, proposal], at)
}

/** The parameters for the minimum deposit, read during a deposit period. */
export function applyDepositParams(
  state: FoldState,
  depositParams: GovParams,
  at: EventPosition,
): void {
  for (const proposal of state.proposals.values()) {
    if (proposal.vote || proposal.state.status !== 'deposit_period') continue
    if (Value.Equal(proposal.depositParams, depositParams)) continue
    proposal.depositParams = depositParams
    markProposal(state, proposal, at)
  }
}

/** How the state differs from the events, after it was applied to a round. */
const noteDifference = (
  state: FoldState,
  [round, proposal]: readonly [VotingRound, OpenProposal],
  { at, before }: { at: EventPosition; before: string | null },
): void => {
  markRound(state, [round, proposal], at)
  const { difference } = round
  if (difference === null || difference === before) return
  removeReasons(proposal, [before])
  markPartial(state, proposal, { reason: difference, at })
}

/**
 * The final reading of a round that ended at this height: it overrides all other data of the height. Yields where other work may run.
 */
export function* applyFinalReading(state: FoldState, reading: Reading): Generator<undefined, void> {
  const { at } = reading
  for (const [round, proposal] of state.endedRounds) {
    const isIt = round.proposalId === reading.proposalId && round.round === reading.round
    const { end, difference: before } = round
    if (!isIt || !end) continue
    const problem = findUntallied(reading)
    if (problem !== null) {
      round.end = { ...end, notRecomputed: problem }
      markRound(state, [round, proposal], at)
      continue
    }
    yield* round.close(reading, at)
    noteDifference(state, [round, proposal], { at, before })
    const { vote: next } = proposal
    if (!next || next === round) continue
    next.readPools({ ...reading, hasAllPools: true }, at)
    markRound(state, [next, proposal], at)
  }
}

const applyToProposal = (
  state: FoldState,
  proposal: OpenProposal,
  { change, at }: { change: ProposalChange; at: EventPosition },
): void => {
  const { vote } = proposal
  switch (change.kind) {
    case 'proposal_read':
      readProposal(proposal, change.proposal)
      learnState(proposal)
      markProposal(state, proposal, at)
      break
    case 'proposal_changed':
      Object.assign(proposal, change.own)
      proposal.state = { ...proposal.state, ...change.state }
      markProposal(state, proposal, at)
      break
    case 'history_partial':
      if (change.lacks) {
        proposal.unread = [...proposal.unread, { lacks: change.lacks, reason: change.reason }]
      }
      markPartial(state, proposal, { reason: change.reason, at })
      break
    case 'proposal_completed':
      completeProposal(state, proposal, { read: change.read, at })
      break
    case 'round_begun':
      beginRound(state, proposal, change, at)
      break
    case 'round_fell_back':
      // Only a first vote can be an expedited vote that failed.
      proposal.roundReason = null
      if (vote) vote.isExpedited = true
      break
    case 'ballot_cast':
      if (!vote) break
      vote.cast(change.vote, at)
      markRound(state, [vote, proposal], at)
      break
    case 'ballot_unknown':
      if (!vote) break
      vote.castUnknown(at)
      markRound(state, [vote, proposal], at)
      break
    case 'round_read': {
      if (!vote || vote.end || vote.round !== change.reading.round) break
      const before = vote.difference
      vote.read(change.reading, at)
      noteDifference(state, [vote, proposal], { at, before })
      break
    }
    case 'ballots_dated':
      if (!vote || vote.end || vote.round !== change.reading.round) break
      if (vote.date(change.reading.ballots, at)) markRound(state, [vote, proposal], at)
      break
    case 'round_ended':
      if (!vote) break
      vote.end = change.end
      if (change.end.chain === null) proposal.untallied = vote
      state.endedRounds.set(vote, proposal)
      markRound(state, [vote, proposal], at)
      break
    case 'proposal_closed':
      state.closing.add(proposal)
      if (change.isDeleted) proposal.unread = []
      markProposal(state, proposal, at)
      break
  }
}

export const applyChange = (state: FoldState, change: Change, origin: Origin): void => {
  const { at } = origin
  switch (change.kind) {
    case 'proposal_introduced':
      introduce(state, change.proposal, origin)
      break
    case 'proposal_found': {
      introduce(state, blankProposal(change.proposalId, change.status), origin)
      const reason = `first named at height ${at.height}: its submission was not read`
      const { proposalId } = change
      applyChange(state, { kind: 'history_partial', proposalId, reason }, origin)
      break
    }
    default: {
      const id = change.kind === 'proposal_read' ? change.proposal.proposalId : change.proposalId
      const proposal = findWaiting(state, id)
      if (proposal) applyToProposal(state, proposal, { change, at })
    }
  }
}
