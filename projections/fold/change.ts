// The changes of an event as data, and their application to the state.
import type { PoolState, ProposalState } from '../../ingest/contract/facts.ts'
import { listKinds } from '../../ingest/contract/gov-type.ts'
import { learnProposal } from '../../ingest/contract/late-reads.ts'
import type { DatedVote, ReadVote, RoundEnd, Stake } from './ballot.ts'
import { firstDepositParams, replaceDepositParams } from './deposit-params.ts'
import type { EventPosition } from './event-position.ts'
import type { ExactTally } from './exact-tally.ts'
import {
  addIncomplete,
  completeProposal,
  type FactsMissing,
  findIncomplete,
  type LateFacts,
} from './late-reads.ts'
import { markPartial, markProposal, markRound } from './marks.ts'
import { isRefuted, type NodeTally } from './node-tally.ts'
import { type Observation, PoolRegistry } from './pool-registry.ts'
import { EMPTY_CONTEXT } from './proposal-context.ts'
import { blankProposal, currentRounds, type FoldState, type OpenProposal } from './state.ts'
import { VotingRound } from './voting-round.ts'

/** Members of a proposal that are not in the chain's own state. */
type OwnMembers = Partial<
  Pick<
    OpenProposal,
    | 'messages'
    | 'context'
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
  | { kind: 'history_partial'; proposalId: string; reason: string }
  /** `isWhole` is false if its beginning was not indexed. `pools` are those of an earlier time; by default the observed ones. */
  | {
      kind: 'round_begun'
      proposalId: string
      round: number
      isWhole: boolean
      pools?: readonly PoolState[]
    }
  /** An expedited vote failed: the proposal gets another vote. */
  | { kind: 'round_fell_back'; proposalId: string }
  | { kind: 'ballot_cast'; proposalId: string; vote: ReadVote }
  | { kind: 'ballot_unknown'; proposalId: string }
  /** When a ballot of the snapshot was cast. */
  | { kind: 'ballot_dated'; proposalId: string; vote: DatedVote }
  | {
      kind: 'delegations_changed'
      voter: string
      stake: Stake
      /** Why the delegations are null. */
      reason: string | null
    }
  | { kind: 'tally_observed'; proposalId: string; node: NodeTally }
  | { kind: 'round_ended'; proposalId: string; end: RoundEnd }
  /** The recomputed tally of a round that ended at this height, or the reason why there is none. */
  | {
      kind: 'tally_recomputed'
      proposalId: string
      round: number
      tally: ExactTally | { problem: string }
    }
  /** `isDeleted`: no later state of the chain has it. */
  | { kind: 'proposal_closed'; proposalId: string; isDeleted: boolean }
  | FactsMissing
  | { kind: 'facts_read_late'; proposalId: string; facts: LateFacts }

/** A change of one open proposal, or of its current round. */
type ProposalChange = Exclude<
  Change,
  {
    kind: 'proposal_introduced' | 'proposal_found' | 'delegations_changed' | 'tally_recomputed'
  }
>

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
    context: EMPTY_CONTEXT,
    round: 0,
    roundReason: null,
    submitted: undefined,
    depositParams: firstDepositParams(state, introduced, at),
    closed: undefined,
    reconstructed: null,
    partialReasons: [],
    incomplete: [],
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
  { round, isWhole, pools }: Change & { kind: 'round_begun' },
  at: EventPosition,
): void => {
  const { proposalId } = proposal
  const of = {
    proposalId,
    round,
    isExpedited: proposal.state.expedited,
    kinds: listKinds(proposal.state),
  }
  const vote = new VotingRound(of, pools ? PoolRegistry.of(pools) : state.registry, at)
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
      proposal.incomplete = learnProposal(proposal.incomplete)
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
    case 'ballot_dated':
      if (vote?.date(change.vote, at)) markRound(state, [vote, proposal], at)
      break
    case 'tally_observed':
      if (!vote) break
      if (isRefuted(vote.node) !== isRefuted(change.node)) vote.markAllEntries(at)
      vote.node = change.node
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
      if (change.isDeleted) proposal.incomplete = []
      markProposal(state, proposal, at)
      break
    case 'facts_missing':
      addIncomplete(state, proposal, change)
      break
    case 'facts_read_late':
      readProposal(proposal, change.facts.proposal)
      completeProposal(state, proposal, { facts: change.facts, at })
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
      const proposal = findIncomplete(state, id)
      if (proposal) applyToProposal(state, proposal, { change, at })
    }
  }
}
