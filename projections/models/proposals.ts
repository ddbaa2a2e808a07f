// What is known of one proposal, and its row. Reasons why its history is partial are never taken back.
import type { Message, ProposalState } from '../../ingest/contract/facts.ts'
import type { ProposalRow } from '../contract/read-model.ts'
import { isImpossibleTime, later, type Moment, timestampOf } from './moment.ts'

const SHOWN_REASONS = 3

export type ProposalFacts = {
  readonly proposalId: string
  state: ProposalState
  /** JSON array. */
  messages: string
  round: number
  /** Why `round` is only the lowest that it can be; null where it is known. */
  roundReason: string | null
  submitted: { height: number; txHash: string | null } | undefined
  closed: Moment | undefined
  partialReasons: string[]
  moment: Moment
}

/** A proposal that an event names before anything told what it is. */
export const blankState = (proposalId: string, status: string): ProposalState => ({
  proposalId,
  title: '',
  summary: '',
  metadata: '',
  proposer: null,
  messageTypes: [],
  status,
  expedited: false,
  failedReason: null,
  submitTime: null,
  depositEndTime: null,
  votingStartTime: null,
  votingEndTime: null,
  totalDeposit: [],
  finalTally: null,
})

export const createFacts = (state: ProposalState, moment: Moment): ProposalFacts => ({
  proposalId: state.proposalId,
  state,
  messages: '[]',
  round: 0,
  roundReason: null,
  submitted: undefined,
  closed: undefined,
  partialReasons: [],
  moment,
})

/** True where the reason is a new one. */
export const addPartialReason = (facts: ProposalFacts, reason: string, moment: Moment): boolean => {
  if (facts.partialReasons.includes(reason)) return false
  facts.partialReasons.push(reason)
  facts.moment = later(facts.moment, moment)
  return true
}

/** Times that the chain, or the node that was asked, gave and that no calendar has: their columns are NULL. */
export const impossibleTimes = (state: ProposalState): string[] => {
  const times = [
    ['submit time', state.submitTime],
    ['end of the deposit period', state.depositEndTime],
    ['start of the voting period', state.votingStartTime],
    ['end of the voting period', state.votingEndTime],
  ] as const
  return times
    .filter(([, time]) => isImpossibleTime(time))
    .map(([name]) => `the ${name} that the node gave is not a time`)
}

const historyColumns = ({ partialReasons }: ProposalFacts) => {
  const more = partialReasons.length - SHOWN_REASONS
  const shown = partialReasons.slice(0, SHOWN_REASONS).join('; ')
  return {
    history: partialReasons.length === 0 ? ('complete' as const) : ('partial' as const),
    history_reason:
      partialReasons.length === 0 ? null : more > 0 ? `${shown}; and ${more} more` : shown,
  }
}

export const messagesJson = (messages: readonly Message[]): string => JSON.stringify(messages)

export const proposalRow = (facts: ProposalFacts): ProposalRow => {
  const { state, submitted, closed } = facts
  return {
    proposal_id: facts.proposalId,
    title: state.title,
    summary: state.summary,
    metadata: state.metadata,
    proposer: state.proposer,
    message_types: state.messageTypes,
    messages: facts.messages,
    status: state.status,
    expedited: state.expedited,
    round: facts.round,
    round_reason: facts.roundReason,
    failed_reason: state.failedReason === '' ? null : state.failedReason,
    submit_time: timestampOf(state.submitTime),
    deposit_end_time: timestampOf(state.depositEndTime),
    voting_start_time: timestampOf(state.votingStartTime),
    voting_end_time: timestampOf(state.votingEndTime),
    closed_time: timestampOf(closed?.time ?? null),
    closed_height: closed?.height.toString() ?? null,
    total_deposit: state.totalDeposit.map(({ denom, amount }) => ({ denom, amount })),
    submitted_height: submitted?.height.toString() ?? null,
    submitted_tx_hash: submitted?.txHash ?? null,
    ...historyColumns(facts),
    version: facts.moment.digits,
  }
}
