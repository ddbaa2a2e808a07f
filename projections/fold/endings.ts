// Decides the changes of the events that end a round or a proposal, whether the chain reported the end or its state shows it.
import { Value } from 'typebox/value'
import type { EventOf, GovernanceEvent } from '../../ingest/contract/events.ts'
import type { ProposalState } from '../../ingest/contract/facts.ts'
import { toFact } from '../../ingest/contract/governance/fact.ts'
import type { RoundEnd } from './ballot.ts'
import type { Change } from './change.ts'
import type { EventPosition } from './event-position.ts'
import { follow } from './follow.ts'
import { messagesJson } from './rows/proposals.ts'
import type { FoldState, Unread } from './state.ts'

export type EventType = GovernanceEvent['type']
export type Handler<Type extends EventType> = (
  state: FoldState,
  event: EventOf<Type>,
  at: EventPosition,
) => Change[]

/** Whether the proposal cannot change any more. */
export const isClosed = ({ proposals, closed }: FoldState, proposalId: string): boolean =>
  !proposals.has(proposalId) && closed.has(proposalId)

/** The state in an event; if the node could not return it, the reason. */
export const readState = (
  proposalId: string,
  data: { proposal: ProposalState | null; proposalReason: string | null },
  lacks: Unread['lacks'] = 'state',
): Change[] => {
  if (data.proposal) return [{ kind: 'proposal_read', proposal: data.proposal }]
  const reason = data.proposalReason ?? 'the node did not return the proposal'
  return [{ kind: 'history_partial', proposalId, reason, lacks }]
}

type Ended = Pick<
  EventOf<'rollcall.voting.restarted.v1'>['data'],
  'finalTally' | 'bondedTokens' | 'params' | 'unavailableReason'
>

const toTallied = ({ finalTally, bondedTokens, params, unavailableReason }: Ended): RoundEnd => ({
  by: 'tallied',
  chain: finalTally,
  bondedTokens,
  params,
  unavailableReason,
})

/** The last live numbers stay, with those of the last reading. */
const toCanceled = (
  { proposals }: FoldState,
  proposalId: string,
  unavailableReason: string | null,
): RoundEnd => {
  const { params = null, bondedTokens = null } = proposals.get(proposalId)?.vote?.registry ?? {}
  return { by: 'canceled', chain: null, bondedTokens, params, unavailableReason }
}

const onRestarted: Handler<'rollcall.voting.restarted.v1'> = (state, event) => {
  const { data } = event
  const { proposalId, finalTally } = data
  if (isClosed(state, proposalId)) return []
  const { found, ended, begun } = follow(state, toFact(event), {
    status: 'voting_period',
    toEnd: () => toTallied(data),
  })
  return [
    ...found,
    ...ended,
    ...readState(proposalId, data),
    {
      kind: 'proposal_changed',
      proposalId,
      state: data.proposal ? {} : { expedited: false, finalTally },
    },
    ...begun,
  ]
}

const onClosed: Handler<'rollcall.proposal.closed.v1'> = (state, event, at) => {
  const { data } = event
  const { proposalId, outcome, result } = data
  if (isClosed(state, proposalId)) return []
  const { found, ended, closed } = follow(state, toFact(event), {
    status: 'voting_period',
    toEnd: () => toTallied(data),
  })
  const isUnknown = outcome === 'unknown'
  const status = isUnknown ? (data.proposal ? {} : { status: result }) : { status: outcome }
  const reason = `the outcome of the chain is unknown: ${result}`
  const unknown: Change[] = isUnknown ? [{ kind: 'history_partial', proposalId, reason }] : []
  return [
    ...found,
    ...readState(proposalId, data),
    ...ended,
    { kind: 'proposal_changed', proposalId, own: { closed: at }, state: status },
    ...unknown,
    ...closed,
  ]
}

type Deletion = EventOf<'rollcall.proposal.canceled.v1' | 'rollcall.proposal.dropped.v1'>

const createOnDeleted =
  (status: 'canceled' | 'dropped') =>
  (state: FoldState, event: Deletion, at: EventPosition): Change[] => {
    const { proposalId } = event.data
    if (isClosed(state, proposalId)) return []
    const { found, ended, closed } = follow(state, toFact(event), {
      status,
      toEnd: () => toCanceled(state, proposalId, null),
    })
    return [
      ...found,
      ...ended,
      { kind: 'proposal_changed', proposalId, own: { closed: at }, state: { status } },
      ...closed,
    ]
  }

type Reconciled = EventOf<'rollcall.proposal.reconciled.v1'>['data']

const DISAGREE = 'the chain’s state and its events disagree'

/** `ended at height 7` or, if the height is unknown, `ended before height 9`. */
const atHeight = ({ closedHeight, closedReason }: Reconciled, { height }: EventPosition): string =>
  closedHeight === null
    ? `before height ${height} (its height is unknown: ${closedReason})`
    : `at height ${closedHeight}`

const describeEnd = ({ proposal }: Reconciled): string =>
  proposal?.votingEndTime ?? proposal?.depositEndTime ?? 'an unknown time'

const describeUnknownResult = (data: Reconciled, { height }: EventPosition): string =>
  `the meaning of the result ${data.result} at height ${height} is unknown: ${data.proposalReason}`

const hasOtherDeposits = (
  { proposals }: FoldState,
  { proposal, proposalId }: Reconciled,
): boolean =>
  proposal !== null &&
  !Value.Equal(proposal.totalDeposit, proposals.get(proposalId)?.state.totalDeposit ?? [])

/** Undefined if the history is complete: only times changed. */
const describeDisagreement = (
  state: FoldState,
  data: Reconciled,
  at: EventPosition,
): string | undefined => {
  const cause = data.result === null ? 'without an event' : `with the result ${data.result}`
  switch (data.finding) {
    case 'closed':
      return `the vote ended ${atHeight(data, at)} ${cause}`
    case 'deleted':
      return `the chain deleted the proposal ${atHeight(data, at)} ${cause}`
    case 'restarted':
      return `the expedited vote became a regular one before height ${at.height} without an event`
    case 'voting':
      return `the vote started before height ${at.height} without an event`
    case 'overdue':
      return `its period ended on ${describeEnd(data)}, and the state of height ${at.height} still has it open`
    case 'unreadable':
      return data.result === null
        ? `its period is over without an event, and the state of height ${at.height} is unknown: ${data.proposalReason}`
        : describeUnknownResult(data, at)
    // A fault of an endpoint is no fault of the history.
    case 'missing':
    case 'contradicted':
      return data.result === null ? undefined : describeUnknownResult(data, at)
    case 'found':
      return `no event reported the proposal before height ${at.height}`
    case 'read':
      return undefined
    case 'changed':
      return hasOtherDeposits(state, data)
        ? `the state of height ${at.height} has a deposit that no event reports`
        : undefined
  }
}

/** When it ended, and how the chain deleted it. */
const endReconciled = (state: FoldState, data: Reconciled, at: EventPosition): Change[] => {
  const { proposalId, closedTime, finding } = data
  if (finding !== 'closed' && finding !== 'deleted') return []
  const open = state.proposals.get(proposalId)
  const end = open?.state.depositEndTime
  const isOver = !!end && Date.parse(closedTime ?? at.time) >= Date.parse(end)
  const deleted = !open?.vote && data.round === 0 && isOver ? 'dropped' : 'canceled'
  return [
    {
      kind: 'proposal_changed',
      proposalId,
      own: { closed: { height: at.height, time: closedTime } },
      state: finding === 'deleted' ? { status: deleted } : {},
    },
  ]
}

const UNTALLIED = 'the chain ended the vote without a tally'

/** What earlier events lack of the proposal, and all that the state has of one that no event reported. */
const complete = (
  { finding, proposal, messages }: Reconciled,
  isFound: boolean,
): { introduced: Change[]; completed: Change[] } => {
  if (!proposal) return { introduced: [], completed: [] }
  const { proposalId } = proposal
  const own = messages && { messages: messagesJson(messages) }
  const completed: Change[] = [{ kind: 'proposal_completed', proposalId, read: proposal }]
  if (own) completed.push({ kind: 'proposal_changed', proposalId, own })
  const isIntroduced = finding === 'found' && isFound
  return { introduced: isIntroduced ? [{ kind: 'proposal_introduced', proposal }] : [], completed }
}

/** The state decides what the events left open. */
const onReconciled: Handler<'rollcall.proposal.reconciled.v1'> = (state, event, at) => {
  const { data } = event
  const { proposalId, proposal } = data
  if (isClosed(state, proposalId) && !state.awaited.has(proposalId)) return []
  const disagreement = describeDisagreement(state, data, at)
  const { found, ended, begun, closed } = follow(state, toFact(event), {
    status: proposal?.status ?? 'voting_period',
    toEnd: (by) => (by === 'canceled' ? toCanceled(state, proposalId, UNTALLIED) : toTallied(data)),
  })
  const { introduced, completed } = complete(data, found.length > 0)
  const changes: Change[] = [
    ...(introduced.length > 0 ? introduced : found),
    ...(proposal ? readState(proposalId, data) : []),
    ...completed,
    ...ended,
    ...endReconciled(state, data, at),
    ...begun,
    ...closed,
  ]
  if (disagreement) {
    changes.push({ kind: 'history_partial', proposalId, reason: `${DISAGREE}: ${disagreement}` })
  }
  return changes
}

/** The handlers of this file. */
export const ENDINGS = {
  'rollcall.voting.restarted.v1': onRestarted,
  'rollcall.proposal.closed.v1': onClosed,
  'rollcall.proposal.canceled.v1': createOnDeleted('canceled'),
  'rollcall.proposal.dropped.v1': createOnDeleted('dropped'),
  'rollcall.proposal.reconciled.v1': onReconciled,
}
