// Turns one raw fact into its complete event, with the state of its height.
import { isKnown, valueOrNull } from '../chain/answer.ts'
import type { GovernanceEvent } from '../contract/events.ts'
import { eventAt, proposalSubject } from '../derive/event-at.ts'
import type { RawFact, RawFactOf } from '../derive/raw-fact.ts'
import { readProposalAtHeight, submittedContent } from '../proposals/proposal.ts'
import { reconcile } from '../proposals/reconciled.ts'
import { type CloseData, closeData } from '../rounds/close.ts'
import { type ClosingOptions, readClosing } from '../rounds/closing.ts'
import { createReadBudget } from '../rounds/read-budget.ts'
import { type RoundReading, readRound } from '../rounds/read-round.ts'
import { type RoundRead, toFinalReading } from '../rounds/reading-events.ts'
import type { EndedFact } from '../rounds/state-at-tally.ts'
import type { HeightState } from './height-state.ts'
import type { PlannedFact } from './plan.ts'

/** `reading`: of the tally of a round that ended; follows the event. */
export type EnrichedEvents = { event: GovernanceEvent; reading: readonly RoundRead[] }

type PlannedOf<Kind extends RawFact['kind']> = Omit<PlannedFact, 'fact'> & { fact: RawFactOf<Kind> }

const findTxHash = ({ plan }: HeightState, { txIndex }: RawFact): string | null =>
  txIndex === null ? null : (plan.block.txs[txIndex]?.hash ?? null)

const submitted = async (state: HeightState, fact: RawFactOf<'submitted'>) => {
  const [content, params] = await Promise.all([submittedContent(state, fact), state.after.params()])
  return eventAt(state.plan.block, fact, {
    type: 'rollcall.proposal.submitted.v1',
    subject: proposalSubject(fact.proposalId),
    data: {
      ...content,
      txHash: findTxHash(state, fact),
      params: valueOrNull(params),
      ...(isKnown(params) ? {} : { paramsReason: params.unavailable }),
    },
  })
}

const deposited = async (state: HeightState, fact: RawFactOf<'deposited'>) =>
  eventAt(state.plan.block, fact, {
    type: 'rollcall.proposal.deposited.v1',
    subject: proposalSubject(fact.proposalId),
    data: {
      ...(await readProposalAtHeight(state, fact.proposalId)),
      depositor: fact.depositor,
      ...(fact.depositorReason === null ? {} : { depositorReason: fact.depositorReason }),
      amount: fact.amount,
      txHash: findTxHash(state, fact),
    },
  })

const votingStarted = async (state: HeightState, fact: RawFactOf<'voting_started'>) =>
  eventAt(state.plan.block, fact, {
    type: 'rollcall.voting.started.v1',
    subject: proposalSubject(fact.proposalId),
    data: {
      ...(await readProposalAtHeight(state, fact.proposalId)),
      txHash: findTxHash(state, fact),
    },
  })

const voteCast = (state: HeightState, { fact, round }: PlannedOf<'vote_cast'>) => {
  const { proposalId, voter, voterReason, options, counted } = fact
  return eventAt(state.plan.block, fact, {
    type: 'rollcall.vote.cast.v1',
    subject: proposalSubject(proposalId),
    data: {
      proposalId,
      round,
      voter,
      voterReason,
      options,
      txHash: findTxHash(state, fact),
      counted,
    },
  })
}

type PlannedEnd = Omit<PlannedFact, 'fact'> & { fact: EndedFact }

const toEndEvent = ({ plan }: HeightState, fact: EndedFact, close: CloseData): GovernanceEvent => {
  const subject = proposalSubject(fact.proposalId)
  const { result } = fact
  return fact.kind === 'closed'
    ? eventAt(plan.block, fact, {
        type: 'rollcall.proposal.closed.v1',
        subject,
        data: { ...close, outcome: fact.outcome, result },
      })
    : eventAt(plan.block, fact, {
        type: 'rollcall.voting.restarted.v1',
        subject,
        data: { ...close, result },
      })
}

/** With the reading of its tally, if it had a vote. */
const ended = async (
  state: HeightState,
  planned: PlannedEnd,
  options: ClosingOptions,
): Promise<EnrichedEvents> => {
  const { fact, round, before } = planned
  const close = await closeData(state, planned)
  const event = toEndEvent(state, fact, close)
  if (round === 0) return { event, reading: [] }
  const closed = await readClosing({ states: state, fact, close, before }, options)
  return { event, reading: toFinalReading(state.plan.block, { fact, round }, closed) }
}

/** The chain deletes the ballots: the last ones are those of the height before. */
const readCanceled = async (
  { before }: HeightState,
  { fact, round, before: was }: PlannedFact & { fact: RawFactOf<'canceled'> },
  options: ClosingOptions,
): Promise<RoundReading | undefined> => {
  if (round === 0 || !was) return undefined
  const known = { proposalId: fact.proposalId, ballots: was.vote.ballots, basis: undefined }
  const want = { ballots: 'all', basis: true, stake: 'all' } as const
  return await readRound(before, known, want, { budget: createReadBudget(options) })
}

const canceled = (state: HeightState, fact: RawFactOf<'canceled'>) =>
  eventAt(state.plan.block, fact, {
    type: 'rollcall.proposal.canceled.v1',
    subject: proposalSubject(fact.proposalId),
    data: {
      proposalId: fact.proposalId,
      sender: fact.sender,
      txHash: findTxHash(state, fact),
    },
  })

const dropped = (state: HeightState, fact: RawFactOf<'dropped'>) =>
  eventAt(state.plan.block, fact, {
    type: 'rollcall.proposal.dropped.v1',
    subject: proposalSubject(fact.proposalId),
    data: { proposalId: fact.proposalId, result: fact.result },
  })

const undecodable = (state: HeightState, fact: RawFactOf<'undecodable'>) => {
  const { abciType, attributes, proposalId, reason } = fact
  return eventAt(state.plan.block, fact, {
    type: 'rollcall.abci-event.undecodable.v1',
    ...(proposalId === null ? {} : { subject: proposalSubject(proposalId) }),
    data: { abciType, attributes, proposalId, txHash: findTxHash(state, fact), reason },
  })
}

const found = async (state: HeightState, planned: PlannedFact): Promise<GovernanceEvent> => {
  const { fact } = planned
  switch (fact.kind) {
    case 'submitted':
      return await submitted(state, fact)
    case 'deposited':
      return await deposited(state, fact)
    case 'voting_started':
      return await votingStarted(state, fact)
    case 'vote_cast':
      return voteCast(state, { ...planned, fact })
    case 'dropped':
      return dropped(state, fact)
    case 'undecodable':
      return undecodable(state, fact)
    default:
      throw new TypeError(`no event for a fact of kind ${fact.kind}`)
  }
}

export const enrichFact = async (
  state: HeightState,
  planned: PlannedFact,
  options: ClosingOptions,
): Promise<EnrichedEvents> => {
  const { fact } = planned
  if (fact.kind === 'closed' || fact.kind === 'restarted') {
    return await ended(state, { ...planned, fact }, options)
  }
  if (fact.kind === 'canceled') {
    const reading = await readCanceled(state, { ...planned, fact }, options)
    const of = { fact, round: planned.round }
    return {
      event: canceled(state, fact),
      reading: reading ? toFinalReading(state.plan.block, of, { reading }) : [],
    }
  }
  if (fact.kind === 'reconciled') return await reconcile(state, { ...planned, fact }, options)
  return { event: await found(state, planned), reading: [] }
}
