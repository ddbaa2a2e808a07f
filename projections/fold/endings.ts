// Decides the changes of the events that end a round or a proposal, whether the chain reported the end or its state shows it.
import type { EventOf, GovernanceEvent } from '../../ingest/contract/events.ts'
import type { ProposalState } from '../../ingest/contract/facts.ts'
import { TALLIED } from '../../ingest/contract/late-reads.ts'
import type { Change } from './change.ts'
import type { EventPosition } from './event-position.ts'
import { FoldError } from './fold-error.ts'
import type { FoldState } from './state.ts'

export type EventType = GovernanceEvent['type']
export type Handler<Type extends EventType> = (
  state: FoldState,
  event: EventOf<Type>,
  at: EventPosition,
) => Change[]

/** Whether the proposal cannot change any more. */
export const isClosed = ({ proposals, closed }: FoldState, proposalId: string): boolean =>
  !proposals.has(proposalId) && closed.has(proposalId)

export const findProposal = (state: FoldState, proposalId: string, status: string): Change[] =>
  state.proposals.has(proposalId) ? [] : [{ kind: 'proposal_found', proposalId, status }]

/** The state in an event; if the node could not return it, the reason. */
export const readState = (
  proposalId: string,
  data: { proposal: ProposalState | null; proposalReason: string | null },
): Change[] => {
  if (data.proposal) return [{ kind: 'proposal_read', proposal: data.proposal }]
  const reason = data.proposalReason ?? 'the node did not return the proposal'
  return [{ kind: 'history_partial', proposalId, reason }]
}

/** The round of an event, and its beginning if no event reported it. */
export const enterRound = (
  state: FoldState,
  proposalId: string,
  named: number,
): { round: number; current: number; changes: Change[] } => {
  const round = Math.max(named, 1)
  const current = state.proposals.get(proposalId)?.vote?.round ?? 0
  if (current >= round) return { round, current, changes: [] }
  const changes: Change[] = [{ kind: 'round_begun', proposalId, round, isWhole: false }]
  return { round, current: round, changes }
}

type Ended = Pick<
  EventOf<'rollcall.voting.restarted.v1'>['data'],
  'proposalId' | 'round' | 'finalTally' | 'bondedTokens' | 'params' | 'unavailableReason'
>

/** An ended round is the current one, or one with an unreported beginning. */
const endRound = (state: FoldState, data: Ended): { round: number; changes: Change[] } => {
  const { proposalId, finalTally, bondedTokens, params, unavailableReason } = data
  const { round, current, changes } = enterRound(state, proposalId, data.round)
  if (data.round > 0 && current > round) {
    throw new FoldError(`round ${round} ends during round ${current}`)
  }
  const end = { by: 'tallied', chain: finalTally, bondedTokens, params, unavailableReason } as const
  changes.push({ kind: 'round_ended', proposalId, end })
  if (unavailableReason !== null) {
    changes.push({ kind: 'history_partial', proposalId, reason: unavailableReason })
  }
  return { round: current, changes }
}

export const onRestarted: Handler<'rollcall.voting.restarted.v1'> = (state, { data }) => {
  const { proposalId, finalTally } = data
  if (isClosed(state, proposalId)) return []
  const { round, changes } = endRound(state, data)
  const [begun] = changes
  const entered = begun?.kind === 'round_begun' ? [begun] : []
  return [
    ...findProposal(state, proposalId, 'voting_period'),
    ...entered,
    { kind: 'round_fell_back', proposalId },
    ...changes.slice(entered.length),
    ...readState(proposalId, data),
    {
      kind: 'proposal_changed',
      proposalId,
      state: data.proposal ? {} : { expedited: false, finalTally },
    },
    { kind: 'round_begun', proposalId, round: round + 1, isWhole: true },
  ]
}

export const onClosed: Handler<'rollcall.proposal.closed.v1'> = (state, { data }, at) => {
  const { proposalId, outcome, result } = data
  if (isClosed(state, proposalId)) return []
  // It never reached a vote: there is no round to end.
  const hasRound = data.round > 0 || state.proposals.get(proposalId)?.vote !== undefined
  const isUnknown = outcome === 'unknown'
  const status = isUnknown ? (data.proposal ? {} : { status: result }) : { status: outcome }
  const changes = [
    ...findProposal(state, proposalId, 'voting_period'),
    ...readState(proposalId, data),
    ...(hasRound ? endRound(state, data).changes : []),
    { kind: 'proposal_changed', proposalId, own: { closed: at }, state: status },
  ] satisfies Change[]
  if (!isUnknown) return [...changes, { kind: 'proposal_closed', proposalId }]
  const reason = `the outcome of the chain is unknown: ${result}`
  const unknown: Change = { kind: 'history_partial', proposalId, reason }
  return [...changes, unknown, { kind: 'proposal_closed', proposalId }]
}

export const onDeleted: Handler<
  'rollcall.proposal.canceled.v1' | 'rollcall.proposal.dropped.v1'
> = (state, { type, data: { proposalId } }, at) => {
  if (isClosed(state, proposalId)) return []
  const status = type === 'rollcall.proposal.canceled.v1' ? 'canceled' : 'dropped'
  const { params, bondedTokens } = state.registry
  const known = { chain: null, bondedTokens, params, unavailableReason: null }
  const end = { by: 'canceled', ...known } as const
  return [
    ...findProposal(state, proposalId, status),
    { kind: 'round_ended', proposalId, end },
    { kind: 'proposal_changed', proposalId, own: { closed: at }, state: { status } },
    { kind: 'proposal_closed', proposalId },
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

/** Undefined if the history is complete: only times changed. */
const describeDisagreement = (data: Reconciled, at: EventPosition): string | undefined => {
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
    case 'changed':
      return undefined
  }
}

/** A round that a module ended: its tally, or its last live numbers if the chain counted no votes. */
const endReconciledRound = (state: FoldState, data: Reconciled): Change[] => {
  const { proposalId, proposal } = data
  const hasVote = data.round > 0 || state.proposals.get(proposalId)?.vote !== undefined
  if (!hasVote) return []
  if (proposal && TALLIED.includes(proposal.status)) return endRound(state, data).changes
  const { params, bondedTokens } = state.registry
  const unavailableReason = 'the chain ended the vote without a tally'
  const end = { by: 'canceled', chain: null, bondedTokens, params, unavailableReason } as const
  return [
    ...enterRound(state, proposalId, data.round).changes,
    { kind: 'round_ended', proposalId, end },
  ]
}

const closeReconciled = (state: FoldState, data: Reconciled, at: EventPosition): Change[] => {
  const { proposalId, closedTime } = data
  const open = state.proposals.get(proposalId)
  const end = open?.state.depositEndTime
  const isOver = !!end && Date.parse(closedTime ?? at.time) >= Date.parse(end)
  const deleted = !open?.vote && data.round === 0 && isOver ? 'dropped' : 'canceled'
  const closed = { height: at.height, time: closedTime }
  return [
    ...endReconciledRound(state, data),
    {
      kind: 'proposal_changed',
      proposalId,
      own: { closed },
      state: data.finding === 'deleted' ? { status: deleted } : {},
    },
    { kind: 'proposal_closed', proposalId },
  ]
}

const restartReconciled = (state: FoldState, data: Reconciled): Change[] => {
  const { proposalId } = data
  const { round, changes } = endRound(state, data)
  return [
    ...changes,
    { kind: 'round_fell_back', proposalId },
    { kind: 'round_begun', proposalId, round: round + 1, isWhole: false },
  ]
}

const applyFinding = (state: FoldState, data: Reconciled, at: EventPosition): Change[] => {
  switch (data.finding) {
    case 'closed':
    case 'deleted':
      return closeReconciled(state, data, at)
    case 'restarted':
      return restartReconciled(state, data)
    case 'voting':
      return enterRound(state, data.proposalId, 1).changes
    case 'changed':
    case 'overdue':
    case 'unreadable':
    case 'missing':
    case 'contradicted':
      return []
  }
}

/** The state decides what the events left open. */
export const onReconciled: Handler<'rollcall.proposal.reconciled.v1'> = (state, { data }, at) => {
  const { proposalId, proposal } = data
  if (isClosed(state, proposalId)) return []
  const disagreement = describeDisagreement(data, at)
  const changes: Change[] = [
    ...findProposal(state, proposalId, proposal?.status ?? 'voting_period'),
    ...(proposal ? readState(proposalId, data) : []),
    ...applyFinding(state, data, at),
  ]
  if (disagreement) {
    changes.push({ kind: 'history_partial', proposalId, reason: `${DISAGREE}: ${disagreement}` })
  }
  return changes
}
