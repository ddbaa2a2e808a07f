// Applies the events that end a round or a proposal, whether the chain reported the end or its state shows it.
import { Value } from 'typebox/value'
import type { EventOf } from '../../ingest/contract/events.ts'
import { toFact } from '../../ingest/contract/governance/fact.ts'
import type { RoundEnd } from './ballot.ts'
import type { EventPosition } from './event-position.ts'
import { decideFact, follow, type Handler } from './follow.ts'
import {
  addPartial,
  type Changing,
  changeProposal,
  completeProposal,
  introduce,
  readState,
} from './proposal.ts'
import { messagesJson } from './rows/proposals.ts'
import type { FoldState } from './state.ts'

type Ended = Pick<
  EventOf<'rollcall.voting.restarted.v1'>['data'],
  'finalTally' | 'unavailableReason'
>

const toTallied = ({ finalTally, unavailableReason }: Ended): RoundEnd => ({
  by: 'tallied',
  chain: finalTally,
  unavailableReason,
})

/** The last live numbers stay, with those of the last reading. */
const toCanceled = (unavailableReason: string | null): RoundEnd => ({
  by: 'canceled',
  chain: null,
  unavailableReason,
})

const onRestarted: Handler<'rollcall.voting.restarted.v1'> = (to, event) => {
  const { data } = event
  const { proposalId, finalTally } = data
  const { found, ended, begun } = decideFact(to.state, toFact(event))
  const details = { status: 'voting_period', toEnd: () => toTallied(data) }
  follow(to, proposalId, [...found, ...ended], details)
  readState(to, data)
  changeProposal(to, proposalId, { read: data.proposal ? {} : { expedited: false, finalTally } })
  follow(to, proposalId, begun, details)
}

const onClosed: Handler<'rollcall.proposal.closed.v1'> = (to, event) => {
  const { data } = event
  const { proposalId, outcome, result } = data
  const { found, ended, closed } = decideFact(to.state, toFact(event))
  const details = { status: 'voting_period', toEnd: () => toTallied(data) }
  follow(to, proposalId, found, details)
  readState(to, data)
  follow(to, proposalId, ended, details)
  const isUnknown = outcome === 'unknown'
  const read = isUnknown ? (data.proposal ? {} : { status: result }) : { status: outcome }
  changeProposal(to, proposalId, { own: { closed: to.at }, read })
  if (isUnknown) addPartial(to, proposalId, `the outcome of the chain is unknown: ${result}`)
  follow(to, proposalId, closed, details)
}

type Deletion = EventOf<'rollcall.proposal.canceled.v1' | 'rollcall.proposal.dropped.v1'>

const createOnDeleted =
  (status: 'canceled' | 'dropped') =>
  (to: Changing, event: Deletion): void => {
    const { proposalId } = event.data
    const { found, ended, closed } = decideFact(to.state, toFact(event))
    const details = { status, toEnd: () => toCanceled(null) }
    follow(to, proposalId, [...found, ...ended], details)
    changeProposal(to, proposalId, { own: { closed: to.at }, read: { status } })
    follow(to, proposalId, closed, details)
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

/** How the chain deleted it. */
const toDeleted = (
  { proposals }: FoldState,
  { proposalId, closedTime, round }: Reconciled,
  at: EventPosition,
): 'dropped' | 'canceled' => {
  const open = proposals.get(proposalId)
  const end = open?.state.depositEndTime
  const isOver = !!end && Date.parse(closedTime ?? at.time) >= Date.parse(end)
  return !open?.vote && round === 0 && isOver ? 'dropped' : 'canceled'
}

const UNTALLIED = 'the chain ended the vote without a tally'

/** The state decides what the events left open. */
const onReconciled: Handler<'rollcall.proposal.reconciled.v1'> = (to, event) => {
  const { state, at } = to
  const { data } = event
  const { proposalId, proposal, finding, messages, closedTime } = data
  const { found, ended, begun, closed } = decideFact(state, toFact(event))
  const disagreement = describeDisagreement(state, data, at)
  const deleted = toDeleted(state, data, at)
  const details = {
    status: proposal?.status ?? 'voting_period',
    toEnd: (by: 'tallied' | 'fell_back' | 'canceled') =>
      by === 'canceled' ? toCanceled(UNTALLIED) : toTallied(data),
  }
  if (proposal && finding === 'found' && found.length > 0) introduce(to, proposal)
  else follow(to, proposalId, found, details)
  if (proposal) {
    readState(to, data)
    completeProposal(to, proposal)
    if (messages) changeProposal(to, proposalId, { own: { messages: messagesJson(messages) } })
  }
  follow(to, proposalId, ended, details)
  if (finding === 'closed' || finding === 'deleted') {
    const read = finding === 'deleted' ? { status: deleted } : {}
    const own = { closed: { height: at.height, time: closedTime } }
    changeProposal(to, proposalId, { own, read })
  }
  follow(to, proposalId, [...begun, ...closed], details)
  if (disagreement) addPartial(to, proposalId, `${DISAGREE}: ${disagreement}`)
}

/** The handlers of this file. */
export const ENDINGS = {
  'rollcall.voting.restarted.v1': onRestarted,
  'rollcall.proposal.closed.v1': onClosed,
  'rollcall.proposal.canceled.v1': createOnDeleted('canceled'),
  'rollcall.proposal.dropped.v1': createOnDeleted('dropped'),
  'rollcall.proposal.reconciled.v1': onReconciled,
}
