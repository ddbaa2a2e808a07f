// Turns one raw fact into its complete event, with the state of its height.
import { reasonOrNull, valueOrNull } from '../chain/answer.ts'
import type { GovernanceEvent } from '../contract/events.ts'
import { eventAt, proposalSubject } from '../derive/event-at.ts'
import type { RawFact, RawFactOf } from '../derive/raw-fact.ts'
import type { PlannedFact } from '../governance/plan.ts'
import { closeData } from './close.ts'
import type { HeightState } from './height-state.ts'
import { readProposalAtHeight, submittedContent } from './proposal.ts'
import { reconcile } from './reconciled.ts'

type PlannedOf<Kind extends RawFact['kind']> = Omit<PlannedFact, 'fact'> & { fact: RawFactOf<Kind> }

const findTxHash = ({ plan }: HeightState, { txIndex }: RawFact): string | null =>
  txIndex === null ? null : (plan.block.txs[txIndex]?.hash ?? null)

const submitted = async (state: HeightState, fact: RawFactOf<'submitted'>) =>
  eventAt(state.plan.block, fact, {
    type: 'rollcall.proposal.submitted.v1',
    subject: proposalSubject(fact.proposalId),
    data: { ...(await submittedContent(state, fact)), txHash: findTxHash(state, fact) },
  })

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

const voteCast = async (state: HeightState, { fact, round }: PlannedOf<'vote_cast'>) => {
  const { proposalId, voter, voterReason, options, counted } = fact
  const delegations =
    voter === null ? { unavailable: 'the voter is unknown' } : await state.after.delegations(voter)
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
      delegations: valueOrNull(delegations),
      delegationsReason: reasonOrNull(delegations),
    },
  })
}

const closed = async (state: HeightState, planned: PlannedOf<'closed'>) => {
  const { fact } = planned
  return eventAt(state.plan.block, fact, {
    type: 'rollcall.proposal.closed.v1',
    subject: proposalSubject(fact.proposalId),
    data: {
      ...(await closeData(state, planned)),
      outcome: fact.outcome,
      result: fact.result,
    },
  })
}

const restarted = async (state: HeightState, planned: PlannedOf<'restarted'>) => {
  const { fact } = planned
  return eventAt(state.plan.block, fact, {
    type: 'rollcall.voting.restarted.v1',
    subject: proposalSubject(fact.proposalId),
    data: { ...(await closeData(state, planned)), result: fact.result },
  })
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

export const enrichFact = async (
  state: HeightState,
  planned: PlannedFact,
): Promise<GovernanceEvent> => {
  const { fact } = planned
  switch (fact.kind) {
    case 'submitted':
      return await submitted(state, fact)
    case 'deposited':
      return await deposited(state, fact)
    case 'voting_started':
      return await votingStarted(state, fact)
    case 'vote_cast':
      return await voteCast(state, { ...planned, fact })
    case 'closed':
      return await closed(state, { ...planned, fact })
    case 'restarted':
      return await restarted(state, { ...planned, fact })
    case 'canceled':
      return canceled(state, fact)
    case 'dropped':
      return dropped(state, fact)
    case 'reconciled':
      return (await reconcile(state, { ...planned, fact })).event
    case 'undecodable':
      return undecodable(state, fact)
  }
}
