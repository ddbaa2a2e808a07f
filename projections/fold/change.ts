// The changes of an event as data, and their application to the state. Only this file marks rows as changed.
import type { ProposalState } from '../../ingest/contract/facts.ts'
import { hasOwnLimits } from '../../ingest/contract/gov-type.ts'
import type { ReadVote, RoundEnd, Stake } from './ballot.ts'
import { firstDepositParams, replaceDepositParams } from './deposit-params.ts'
import { type EventPosition, later } from './event-position.ts'
import type { ExactTally } from './exact-tally.ts'
import type { Observation } from './pool-registry.ts'
import { EMPTY_CONTEXT } from './proposal-context.ts'
import { blankProposal, currentRounds, type FoldState, type OpenProposal } from './state.ts'
import { isImpossibleTime } from './timestamps.ts'
import { VotingRound } from './voting-round.ts'

/** Members of a proposal that are not in the chain's own state. */
type OwnMembers = Partial<
  Pick<
    OpenProposal,
    'messages' | 'context' | 'submitted' | 'depositParams' | 'round' | 'roundReason' | 'closed'
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
  | { kind: 'history_partial'; proposalId: string; reason: string }
  /** `isWhole` is false if its beginning was not indexed. */
  | { kind: 'round_begun'; proposalId: string; round: number; isWhole: boolean }
  /** An expedited vote failed: the proposal gets another vote. */
  | { kind: 'round_fell_back'; proposalId: string }
  | { kind: 'ballot_cast'; proposalId: string; vote: ReadVote }
  | { kind: 'ballot_unknown'; proposalId: string }
  | {
      kind: 'delegations_changed'
      voter: string
      stake: Stake
      /** Why the delegations are null. */
      reason: string | null
    }
  | { kind: 'round_ended'; proposalId: string; end: RoundEnd }
  /** The recomputed tally of a round that ended at this height, or the reason why there is none. */
  | {
      kind: 'tally_recomputed'
      proposalId: string
      round: number
      tally: ExactTally | { problem: string }
    }
  | { kind: 'proposal_closed'; proposalId: string }

/** A change of one open proposal, or of its current round. */
type ProposalChange = Exclude<
  Change,
  {
    kind: 'proposal_introduced' | 'proposal_found' | 'delegations_changed' | 'tally_recomputed'
  }
>

/** The position of a change in the log and on the chain. */
export type Origin = { at: EventPosition; offset: bigint }

const markShown = (state: FoldState, proposal: OpenProposal, at: EventPosition): void => {
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

const markProposal = (state: FoldState, proposal: OpenProposal, at: EventPosition): void => {
  proposal.at = later(proposal.at, at)
  for (const reason of impossibleTimes(proposal.state)) addReason(proposal, reason, at)
  state.changed.proposals.add(proposal)
  markShown(state, proposal, at)
}

const markRound = (
  state: FoldState,
  [round, proposal]: readonly [VotingRound, OpenProposal],
  at: EventPosition,
): void => {
  round.advanceTo(at)
  state.changed.rounds.add(round)
  markShown(state, proposal, round.at)
}

const markPartial = (
  state: FoldState,
  proposal: OpenProposal,
  { reason, at }: { reason: string; at: EventPosition },
): void => {
  if (addReason(proposal, reason, at)) markProposal(state, proposal, at)
}

const introduce = (state: FoldState, introduced: ProposalState, origin: Origin): void => {
  const { proposalId } = introduced
  if (state.proposals.has(proposalId)) return
  const { at, offset } = origin
  const proposal: OpenProposal = {
    proposalId,
    state: introduced,
    messages: '[]',
    context: EMPTY_CONTEXT,
    round: 0,
    roundReason: null,
    submitted: undefined,
    depositParams: firstDepositParams(state, introduced, at),
    closed: undefined,
    partialReasons: [],
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
  vote.hasOwnLimits = hasOwnLimits(read)
}

const beginRound = (
  state: FoldState,
  proposal: OpenProposal,
  { round, isWhole, at }: { round: number; isWhole: boolean; at: EventPosition },
): void => {
  const { proposalId } = proposal
  const of = {
    proposalId,
    round,
    isExpedited: proposal.state.expedited,
    hasOwnLimits: hasOwnLimits(proposal.state),
  }
  const vote = new VotingRound(of, state.registry, at)
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

const changeDelegations = (
  state: FoldState,
  change: Change & { kind: 'delegations_changed' },
  at: EventPosition,
): void => {
  const { voter, stake } = change
  for (const [round, proposal] of currentRounds(state)) {
    if (!round.replaceDelegations(voter, stake, at)) continue
    markRound(state, [round, proposal], at)
    if (stake.delegations !== null) continue
    const reason = `delegations of voter ${voter}: ${change.reason ?? 'the node did not return them'}`
    markPartial(state, proposal, { reason, at })
  }
}

/** All observations of a height together: each has its own position. */
export const applyObservations = (state: FoldState, observations: readonly Observation[]): void => {
  const { pools, totals, lost } = state.registry.apply(observations)
  const deposits = replaceDepositParams(state, observations)
  if (deposits) for (const each of deposits.proposals) markProposal(state, each, deposits.at)
  for (const [round, proposal] of currentRounds(state)) {
    if (round.repriceChangedPools(pools)) markRound(state, [round, proposal], round.at)
    if (totals) markRound(state, [round, proposal], totals)
    if (!lost) continue
    const reason = `the states of the pools at height ${lost.at.height} are unknown: ${lost.reason}`
    markPartial(state, proposal, { reason, at: lost.at })
  }
}

const applyTally = (
  state: FoldState,
  change: Change & { kind: 'tally_recomputed' },
  at: EventPosition,
): void => {
  for (const [round, proposal] of state.endedRounds) {
    const isIt = round.proposalId === change.proposalId && round.round === change.round
    if (!isIt || round.end?.by !== 'tallied') continue
    const { tally } = change
    if ('problem' in tally) round.end = { ...round.end, notRecomputed: tally.problem }
    else {
      round.applyRecomputedTally(tally, at)
      round.end = { ...round.end, recomputed: tally.tally.counts }
    }
    markRound(state, [round, proposal], at)
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
      markProposal(state, proposal, at)
      break
    case 'proposal_changed':
      Object.assign(proposal, change.own)
      proposal.state = { ...proposal.state, ...change.state }
      markProposal(state, proposal, at)
      break
    case 'history_partial':
      markPartial(state, proposal, { reason: change.reason, at })
      break
    case 'round_begun':
      beginRound(state, proposal, { ...change, at })
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
    case 'round_ended':
      if (!vote) break
      vote.end = change.end
      state.endedRounds.set(vote, proposal)
      markRound(state, [vote, proposal], at)
      break
    case 'proposal_closed':
      state.closing.add(proposal)
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
    case 'delegations_changed':
      changeDelegations(state, change, at)
      break
    case 'tally_recomputed':
      applyTally(state, change, at)
      break
    default: {
      const id = change.kind === 'proposal_read' ? change.proposal.proposalId : change.proposalId
      const proposal = state.proposals.get(id)
      if (proposal) applyToProposal(state, proposal, { change, at })
    }
  }
}
