// Applies one event to the proposals it is about. Chain-wide observations are in the pool book by then.
import { type EventOf, type GovernanceEvent, stakeChangesIn } from '../../ingest/contract/events.ts'
import type { ProposalState } from '../../ingest/contract/facts.ts'
import { type Moment, timestampOf } from './moment.ts'
import type { OpenProposal, OpenProposals } from './open-proposals.ts'
import type { PoolBook } from './pool-book.ts'
import { blankState, messagesJson } from './proposals.ts'
import type { RoundState } from './tallies.ts'
import type { CastVote } from './vote-state.ts'

export type FoldContext = { proposals: OpenProposals; book: PoolBook }
/** Where the event being applied stands. */
export type Place = { moment: Moment; offset: bigint }

/** Takes the state that an event carries; where the node could not show it, says so. */
const takeState = (
  context: FoldContext,
  proposal: OpenProposal,
  told: { proposal: ProposalState | null; proposalReason: string | null; moment: Moment },
): void => {
  if (told.proposal) {
    // Before SDK 0.47 the chain's state does not name the proposer: the submission did.
    const proposer = told.proposal.proposer ?? proposal.facts.state.proposer
    proposal.facts.state = { ...told.proposal, proposer }
    const { vote } = proposal
    if (vote && !vote.end) vote.isExpedited = told.proposal.expedited
    context.proposals.noteFacts(proposal, told.moment)
    return
  }
  const reason = told.proposalReason ?? 'the node did not show the proposal'
  context.proposals.markPartial(proposal, reason, told.moment)
}

const setStatus = (proposal: OpenProposal, change: Partial<ProposalState>): void => {
  proposal.facts.state = { ...proposal.facts.state, ...change }
}

/** The round an event speaks of; begun now where its beginning was not seen. */
export const currentRound = (
  { proposals }: FoldContext,
  proposal: OpenProposal,
  at: { round: number; moment: Moment },
): RoundState => {
  const round = Math.max(at.round, 1)
  const { vote } = proposal
  if (vote && vote.round >= round) return vote
  return proposals.beginRound(proposal, round, { moment: at.moment, isWhole: false })
}

/** Casts a vote and says what of it is unknown. */
export const castVote = (
  { proposals, book }: FoldContext,
  voted: { proposal: OpenProposal; vote: RoundState; reason: string | null; moment: Moment },
  cast: CastVote,
): void => {
  const { proposal, vote, moment } = voted
  vote.fold.cast(cast, moment)
  proposals.noteVote(proposal, vote, moment)
  if (!cast.counted) return
  if (cast.delegations === null) {
    const reason = voted.reason ?? 'the node did not show them'
    proposals.markPartial(proposal, `delegations of voter ${cast.voter}: ${reason}`, moment)
  }
  for (const { operatorAddress } of cast.delegations ?? []) {
    if (book.pool(operatorAddress)) continue
    const reason = `the state of pool ${operatorAddress} is not known at height ${moment.height}`
    proposals.markPartial(proposal, reason, moment)
  }
}

const onSubmitted = (
  context: FoldContext,
  { data }: EventOf<'rollcall.proposal.submitted.v1'>,
  { moment, offset }: Place,
): void => {
  const { proposals } = context
  if (proposals.isClosed(data.proposalId)) return
  const state = data.proposal ?? blankState(data.proposalId, 'deposit_period')
  const proposal = proposals.open(state, moment, offset)
  takeState(context, proposal, { ...data, moment })
  proposal.facts.messages = messagesJson(data.messages)
  proposal.facts.submitted = { height: moment.height, txHash: data.txHash }
  if (data.proposal === null) {
    setStatus(proposal, { messageTypes: data.messages.map((message) => message['@type']) })
  }
  proposals.noteFacts(proposal, moment)
}

const onDeposited = (
  context: FoldContext,
  { data }: EventOf<'rollcall.proposal.deposited.v1'>,
  place: Place,
): void => {
  const proposal = context.proposals.find(data.proposalId, 'deposit_period', place)
  if (proposal) takeState(context, proposal, { ...data, moment: place.moment })
}

const onVotingStarted = (
  context: FoldContext,
  { data }: EventOf<'rollcall.voting.started.v1'>,
  place: Place,
): void => {
  const { moment } = place
  const proposal = context.proposals.find(data.proposalId, 'voting_period', place)
  if (!proposal || proposal.vote) return
  takeState(context, proposal, { ...data, moment })
  if (!data.proposal) setStatus(proposal, { status: 'voting_period', votingStartTime: moment.time })
  context.proposals.beginRound(proposal, 1, { moment, isWhole: true })
}

const onVoteCast = (
  context: FoldContext,
  { data }: EventOf<'rollcall.vote.cast.v1'>,
  place: Place,
): void => {
  const { proposals } = context
  const { moment } = place
  const proposal = proposals.find(data.proposalId, 'voting_period', place)
  if (!proposal) return
  const vote = currentRound(context, proposal, { round: data.round, moment })
  // A round that is over takes no votes.
  if (Math.max(data.round, 1) < vote.round) return
  if (data.voter === null) {
    proposals.markPartial(proposal, data.voterReason ?? 'a vote names no voter', moment)
    if (!data.counted) return
    vote.fold.castUnknown(moment)
    proposals.noteVote(proposal, vote, moment)
    return
  }
  const { voter, options, counted, txHash, delegations } = data
  // One literal, no spreads: this runs once for every vote of a backfill.
  const cast = {
    voter,
    options,
    counted,
    height: moment.height,
    time: timestampOf(moment.time),
    txHash,
    delegations,
  }
  castVote(context, { proposal, vote, reason: data.delegationsReason, moment }, cast)
}

const endRound = (
  context: FoldContext,
  proposal: OpenProposal,
  ended: {
    data: EventOf<'rollcall.proposal.closed.v1' | 'rollcall.voting.restarted.v1'>['data']
    moment: Moment
  },
): void => {
  const { data, moment } = ended
  // It never came to a vote: there is no round to end.
  if (data.round === 0 && !proposal.vote) return
  currentRound(context, proposal, { round: data.round, moment })
  const { finalTally, bondedTokens, params, unavailableReason } = data
  const end = { chain: finalTally, bondedTokens, params, unavailableReason }
  context.proposals.endRound(proposal, { by: 'tallied', ...end }, moment)
  if (unavailableReason === null) return
  context.proposals.markPartial(proposal, unavailableReason, moment)
}

const onRestarted = (
  context: FoldContext,
  { data }: EventOf<'rollcall.voting.restarted.v1'>,
  place: Place,
): void => {
  const { moment } = place
  const proposal = context.proposals.find(data.proposalId, 'voting_period', place)
  if (!proposal) return
  const ended = currentRound(context, proposal, { round: data.round, moment })
  ended.isExpedited = true
  // Only a first vote falls back.
  proposal.facts.roundReason = null
  endRound(context, proposal, { data, moment })
  takeState(context, proposal, { ...data, moment })
  if (!data.proposal) setStatus(proposal, { expedited: false, finalTally: data.finalTally })
  context.proposals.beginRound(proposal, ended.round + 1, { moment, isWhole: true })
}

const onClosed = (
  context: FoldContext,
  { data }: EventOf<'rollcall.proposal.closed.v1'>,
  place: Place,
): void => {
  const { moment } = place
  const proposal = context.proposals.find(data.proposalId, 'voting_period', place)
  if (!proposal) return
  takeState(context, proposal, { ...data, moment })
  endRound(context, proposal, { data, moment })
  if (data.outcome !== 'unknown') setStatus(proposal, { status: data.outcome })
  else {
    if (!data.proposal) setStatus(proposal, { status: data.result })
    const reason = `the chain gave an outcome that is not known: ${data.result}`
    context.proposals.markPartial(proposal, reason, moment)
  }
  proposal.facts.closed = moment
  context.proposals.close(proposal, moment)
}

const onDeleted = (
  context: FoldContext,
  event: EventOf<'rollcall.proposal.canceled.v1' | 'rollcall.proposal.dropped.v1'>,
  place: Place,
): void => {
  const { proposals, book } = context
  const status = event.type === 'rollcall.proposal.canceled.v1' ? 'canceled' : 'dropped'
  const proposal = proposals.find(event.data.proposalId, status, place)
  if (!proposal) return
  const { params, bondedTokens } = book
  const end = { chain: null, bondedTokens, params, unavailableReason: null }
  proposals.endRound(proposal, { by: 'canceled', ...end }, place.moment)
  setStatus(proposal, { status })
  proposal.facts.closed = place.moment
  proposals.close(proposal, place.moment)
}

const onStakeChanged = (
  { proposals }: FoldContext,
  event: EventOf<'rollcall.stake.changed.v1'>,
  { moment }: Place,
): void => {
  // Rounds that ended at this height too: their tally came after its transactions.
  for (const { proposal, vote } of proposals.votes()) {
    for (const { voter, delegations, delegationsReason } of stakeChangesIn(event)) {
      if (!vote.fold.restake(voter, delegations, moment)) continue
      proposals.noteVote(proposal, vote, moment)
      if (delegations !== null) continue
      const reason = delegationsReason ?? 'the node did not show them'
      proposals.markPartial(proposal, `delegations of voter ${voter}: ${reason}`, moment)
    }
  }
}

/** Ingest left a part of the event out: what is shown of its proposal lacks that part. */
const noteOmissions = (
  { proposals }: FoldContext,
  { type, data }: GovernanceEvent,
  { moment }: Place,
): void => {
  const { omitted, omittedReason } = data
  const proposal = 'proposalId' in data && data.proposalId && proposals.get(data.proposalId)
  if (!omitted || !proposal) return
  const paths = omitted.map(({ path }) => path).join(', ')
  proposals.markPartial(proposal, `${type} without ${paths}: ${omittedReason}`, moment)
}

/** `abci-event.unread` and the observations are not for here: see `governance-fold.ts`. */
export const applyEvent = (context: FoldContext, event: GovernanceEvent, place: Place): void => {
  applyFacts(context, event, place)
  noteOmissions(context, event, place)
}

const applyFacts = (context: FoldContext, event: GovernanceEvent, place: Place): void => {
  switch (event.type) {
    case 'rollcall.proposal.submitted.v1':
      onSubmitted(context, event, place)
      break
    case 'rollcall.proposal.deposited.v1':
      onDeposited(context, event, place)
      break
    case 'rollcall.voting.started.v1':
      onVotingStarted(context, event, place)
      break
    case 'rollcall.vote.cast.v1':
      onVoteCast(context, event, place)
      break
    case 'rollcall.voting.restarted.v1':
      onRestarted(context, event, place)
      break
    case 'rollcall.proposal.closed.v1':
      onClosed(context, event, place)
      break
    case 'rollcall.proposal.canceled.v1':
    case 'rollcall.proposal.dropped.v1':
      onDeleted(context, event, place)
      break
    case 'rollcall.stake.changed.v1':
      onStakeChanged(context, event, place)
      break
    case 'rollcall.chain.snapshot.v1':
    case 'rollcall.pools.observed.v1':
    case 'rollcall.params.observed.v1':
    case 'rollcall.tally.evidence.v1':
    case 'rollcall.abci-event.unread.v1':
    case 'rollcall.block.indexed.v1':
      break
  }
}
