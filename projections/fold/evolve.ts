// Decides the changes of each event: one function per type, which reads the state and returns changes. It changes nothing itself,
// so that an event is applied completely or refused with a `FoldError`. Readings of rounds are applied after the events of a height.
import { addressKey } from '../../ingest/contract/address.ts'
import type { GovernanceEvent } from '../../ingest/contract/events.ts'
import { toFact } from '../../ingest/contract/governance/fact.ts'
import { toWeights } from '../../ingest/tally/option-sums.ts'
import type { Change } from './change.ts'
import { ENDINGS, type EventType, type Handler, isClosed, readState } from './endings.ts'
import type { EventPosition } from './event-position.ts'
import { asFoldError } from './fold-error.ts'
import { follow, followVote } from './follow.ts'
import { messagesJson } from './rows/proposals.ts'
import { blankProposal, type FoldState } from './state.ts'
import { toTimestamp } from './timestamps.ts'
import type { Undecodable } from './undecodable.ts'

const onSubmitted: Handler<'rollcall.proposal.submitted.v1'> = (state, event, at) => {
  const { data } = event
  const { proposalId, messages, txHash } = data
  if (isClosed(state, proposalId)) return []
  const proposal = data.proposal ?? blankProposal(proposalId, 'deposit_period')
  const messageTypes = messages.map((message) => message['@type'])
  const { found } = follow(state, toFact(event), { status: proposal.status })
  return [
    ...found.map((): Change => ({ kind: 'proposal_introduced', proposal })),
    ...readState(proposalId, data, 'texts'),
    {
      kind: 'proposal_changed',
      proposalId,
      own: {
        messages: messagesJson(messages),
        submitted: { height: at.height, txHash },
        depositParams: data.params,
      },
      state: data.proposal ? {} : { messageTypes },
    },
  ]
}

const onDeposited: Handler<'rollcall.proposal.deposited.v1'> = (state, event) => {
  const { proposalId } = event.data
  if (isClosed(state, proposalId)) return []
  const { found } = follow(state, toFact(event), { status: 'deposit_period' })
  return [...found, ...readState(proposalId, event.data)]
}

const onVotingStarted: Handler<'rollcall.voting.started.v1'> = (state, event, at) => {
  const { data } = event
  const { proposalId } = data
  if (isClosed(state, proposalId)) return []
  const { found, begun } = follow(state, toFact(event), { status: 'voting_period' })
  if (begun.length === 0) return []
  const started = { status: 'voting_period', votingStartTime: at.time }
  return [
    ...found,
    ...readState(proposalId, data),
    { kind: 'proposal_changed', proposalId, state: data.proposal ? {} : started },
    ...begun,
  ]
}

const VOTING = { status: 'voting_period' }

const onVoteCast: Handler<'rollcall.vote.cast.v1'> = (state, event, at) => {
  const { proposalId, voter, voterReason, options, counted, txHash, reason } = event.data
  if (isClosed(state, proposalId)) return []
  const { before, ballot } = followVote(state, event.data, VOTING)
  if (!ballot) return [...before]
  if (voter === null) {
    const why = voterReason ?? 'a vote names no voter'
    const partial: Change = { kind: 'history_partial', proposalId, reason: why }
    return counted
      ? [...before, partial, { kind: 'ballot_unknown', proposalId }]
      : [...before, partial]
  }
  const time = toTimestamp(at.time)
  // One literal, no spreads: this runs once per vote of a backfill.
  const metadata = reason?.metadata ?? null
  const memo = reason?.memo ?? null
  const vote = { voter, options, counted, height: at.height, time, txHash, metadata, memo }
  const read = { key: addressKey(voter), vote, weights: toWeights(options) }
  const cast: Change = { kind: 'ballot_cast', proposalId, vote: read }
  return before.length === 0 ? [cast] : [...before, cast]
}

const onContext: Handler<'rollcall.proposal.context.v1'> = (state, { data }) => {
  const { proposalId, observations: observed } = data
  const proposal = state.proposals.get(proposalId)
  // A closing proposal keeps the parameters from before the close: its own changes are already in these.
  if (!proposal || state.closing.has(proposal)) return []
  return [{ kind: 'proposal_changed', proposalId, own: { observed } }]
}

/** Applied by a separate phase, or not part of the state of proposals. */
const nothing = (): Change[] => []

const HANDLERS: { readonly [Type in EventType]: Handler<Type> } = {
  'rollcall.proposal.submitted.v1': onSubmitted,
  'rollcall.proposal.deposited.v1': onDeposited,
  'rollcall.voting.started.v1': onVotingStarted,
  'rollcall.vote.cast.v1': onVoteCast,
  ...ENDINGS,
  'rollcall.chain.snapshot.v1': nothing,
  'rollcall.schema.observed.v1': nothing,
  'rollcall.proposal.context.v1': onContext,
  'rollcall.message.bytes.v1': nothing,
  'rollcall.round.read.v1': nothing,
  'rollcall.abci-event.undecodable.v1': nothing,
  'rollcall.light-block.observed.v1': nothing,
  'rollcall.validators.observed.v1': nothing,
  'rollcall.proposal.proof.v1': nothing,
  'rollcall.vote.reconstructed.v1': nothing,
  'rollcall.history.progressed.v1': nothing,
  'rollcall.block.indexed.v1': nothing,
}

/** Ingest left out a part of the event: the proposal lacks that part. */
const omissions = (
  state: FoldState,
  { type, data }: GovernanceEvent,
  changes: readonly Change[],
): Change[] => {
  const { omitted, omittedReason } = data
  const proposalId = 'proposalId' in data ? data.proposalId : null
  if (!omitted || !proposalId) return []
  const isIntroduced = changes.some(
    ({ kind }) => kind === 'proposal_introduced' || kind === 'proposal_found',
  )
  if (!isIntroduced && !state.proposals.has(proposalId)) return []
  const paths = omitted.map(({ path }) => path).join(', ')
  return [
    { kind: 'history_partial', proposalId, reason: `${type} without ${paths}: ${omittedReason}` },
  ]
}

/** Throws a `FoldError` if the event contradicts the state, or has an invalid number. */
export const evolve = (state: FoldState, event: GovernanceEvent, at: EventPosition): Change[] => {
  // The table has a handler of exactly this type, but the compiler cannot verify it.
  const handle = HANDLERS[event.type] as Handler<EventType>
  try {
    const changes = handle(state, event, at)
    return event.data.omitted ? [...changes, ...omissions(state, event, changes)] : changes
  } catch (error) {
    throw asFoldError(error)
  }
}

const found = (proposalId: string): Change => ({
  kind: 'proposal_found',
  proposalId,
  status: 'deposit_period',
})

/** An undecodable record may affect one proposal or all of them: their numbers are unknown from this height on. */
export const invalidate = (state: FoldState, undecodable: Undecodable): Change[] => {
  const { proposalId: named, at, mayMoveBallots, provesProposal } = undecodable
  const reason = `a record of height ${at.height} could not be decoded: ${undecodable.reason}`
  const isVague = named === '0'
  const isOver = (id: string) => isClosed(state, id) || state.earlier.has(id)
  if (!isVague && isOver(named)) return []
  if (!isVague && !provesProposal && !state.proposals.has(named)) return []
  const ids = isVague ? [...state.proposals.keys()].filter((id) => !isOver(id)) : [named]
  return ids.flatMap((proposalId) => {
    const vote = state.proposals.get(proposalId)?.vote
    const changes: Change[] = [
      ...(state.proposals.has(proposalId) ? [] : [found(proposalId)]),
      { kind: 'history_partial', proposalId, reason },
    ]
    if (mayMoveBallots && vote && !vote.end) changes.push({ kind: 'ballot_unknown', proposalId })
    return changes
  })
}
