// Applies each event of a proposal: one function per type. A contradiction is found before anything changes, so that an event is applied
// completely or refused with a `FoldError`. Readings of rounds are applied after the events of a height.
import type { GovernanceEvent } from '../../ingest/contract/events.ts'
import { toFact } from '../../ingest/contract/governance/fact.ts'
import { readVote } from './ballot.ts'
import { ENDINGS } from './endings.ts'
import { decideBallot, decideFact, type EventType, follow, type Handler } from './follow.ts'
import {
  addPartial,
  type Changing,
  castUnknown,
  castVote,
  changeProposal,
  introduce,
  introduceFound,
  readState,
} from './proposal.ts'
import type { Undecodable } from './record.ts'
import { messagesJson } from './rows/proposals.ts'
import { blankProposal, type FoldState } from './state.ts'

const onSubmitted: Handler<'rollcall.proposal.submitted.v1'> = (to, event) => {
  const { data } = event
  const { proposalId, messages, txHash, params: depositParams } = data
  const { found } = decideFact(to.state, toFact(event))
  const messageTypes = messages.map((message) => message['@type'])
  if (found.length > 0) {
    introduce(to, data.proposal ?? blankProposal(proposalId, 'deposit_period'))
  }
  readState(to, data, 'texts')
  const submitted = { height: to.at.height, txHash }
  const own = { messages: messagesJson(messages), submitted, depositParams }
  changeProposal(to, proposalId, { own, read: data.proposal ? {} : { messageTypes } })
}

const onDeposited: Handler<'rollcall.proposal.deposited.v1'> = (to, event) => {
  const { found } = decideFact(to.state, toFact(event))
  follow(to, event.data.proposalId, found, { status: 'deposit_period' })
  readState(to, event.data)
}

const VOTING = { status: 'voting_period' }

const onVotingStarted: Handler<'rollcall.voting.started.v1'> = (to, event) => {
  const { data } = event
  const { proposalId } = data
  const { found, begun } = decideFact(to.state, toFact(event))
  if (begun.length === 0) return
  follow(to, proposalId, found, VOTING)
  readState(to, data)
  const started = { ...VOTING, votingStartTime: to.at.time }
  changeProposal(to, proposalId, { read: data.proposal ? {} : started })
  follow(to, proposalId, begun, VOTING)
}

const onVoteCast: Handler<'rollcall.vote.cast.v1'> = (to, { data }) => {
  const { proposalId, voter, voterReason, counted } = data
  const decided = decideBallot(to.state, data)
  // An ended round accepts no votes.
  if (decided.length === 0) return
  if (decided.length > 1) follow(to, proposalId, decided, VOTING)
  if (voter === null) {
    addPartial(to, proposalId, voterReason ?? 'a vote names no voter')
    if (counted) castUnknown(to, proposalId)
    return
  }
  castVote(to, proposalId, readVote(voter, data, to.at))
}

const onContext: Handler<'rollcall.proposal.context.v1'> = (to, { data }) => {
  const { proposalId, observations: observed } = data
  const proposal = to.state.proposals.get(proposalId)
  // A closing proposal keeps the parameters from before the close: its own changes are already in these.
  if (!proposal || to.state.closing.has(proposal)) return
  changeProposal(to, proposalId, { own: { observed } })
}

/** Other events are applied by a phase of their height, or are not part of the state of proposals. */
const HANDLERS: { readonly [Type in EventType]?: Handler<Type> } = {
  'rollcall.proposal.submitted.v1': onSubmitted,
  'rollcall.proposal.deposited.v1': onDeposited,
  'rollcall.voting.started.v1': onVotingStarted,
  'rollcall.vote.cast.v1': onVoteCast,
  'rollcall.proposal.context.v1': onContext,
  ...ENDINGS,
}

/** Whether the proposal cannot change any more. */
const isClosed = ({ proposals, closed }: FoldState, proposalId: string): boolean =>
  !proposals.has(proposalId) && closed.has(proposalId)

/** Ingest left out a part of the event: the proposal lacks that part. */
const noteOmissions = (to: Changing, proposalId: string, { type, data }: GovernanceEvent): void => {
  const { omitted, omittedReason } = data
  if (!omitted || !to.state.proposals.has(proposalId)) return
  const paths = omitted.map(({ path }) => path).join(', ')
  addPartial(to, proposalId, `${type} without ${paths}: ${omittedReason}`)
}

/** Throws a `FoldError` if the event contradicts the state. */
export function evolve(to: Changing, event: GovernanceEvent): void {
  // The table has a handler of exactly this type, but the compiler cannot verify it.
  const handle = HANDLERS[event.type] as Handler<EventType> | undefined
  const proposalId = 'proposalId' in event.data ? event.data.proposalId : null
  if (proposalId === null) return
  const awaits =
    event.type === 'rollcall.proposal.reconciled.v1' && to.state.awaited.has(proposalId)
  if (awaits || !isClosed(to.state, proposalId)) handle?.(to, event)
  noteOmissions(to, proposalId, event)
}

/** An undecodable record may affect one proposal or all of them: their numbers are unknown from this height on. */
export function invalidate(to: Changing, undecodable: Undecodable): void {
  const { state, at } = to
  const { proposalId: named, mayMoveBallots, provesProposal } = undecodable
  const reason = `a record of height ${at.height} could not be decoded: ${undecodable.reason}`
  const isVague = named === '0'
  const isOver = (id: string) => isClosed(state, id) || state.earlier.has(id)
  if (!isVague && isOver(named)) return
  if (!isVague && !provesProposal && !state.proposals.has(named)) return
  const ids = isVague ? [...state.proposals.keys()].filter((id) => !isOver(id)) : [named]
  for (const proposalId of ids) {
    if (!state.proposals.has(proposalId)) introduceFound(to, proposalId, 'deposit_period')
    addPartial(to, proposalId, reason)
    const vote = state.proposals.get(proposalId)?.vote
    if (mayMoveBallots && vote && !vote.end) castUnknown(to, proposalId)
  }
}
