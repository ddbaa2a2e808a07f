// Reads a proposal as of its height, or from its transaction if it was submitted and deleted within one block.
import { Value } from 'typebox/value'
import { isKnown } from '../chain/answer.ts'
import type { ProposalContent } from '../chain/proposal-content.ts'
import { secondsAfter } from '../chain/time.ts'
import type { GovParams, Message, ProposalState } from '../contract/facts.ts'
import type { RawFactOf } from '../derive/raw-fact.ts'
import { submissionsInTx } from '../derive/tx-messages.ts'
import type { HeightState } from '../heights/height-state.ts'

export type ProposalAsOfHeight = {
  proposalId: string
  proposal: ProposalState | null
  proposalReason: string | null
}

export const readProposalAtHeight = async (
  { after }: Pick<HeightState, 'after'>,
  proposalId: string,
): Promise<ProposalAsOfHeight> => {
  const answer = await after.proposal(proposalId)
  return isKnown(answer)
    ? { proposalId, proposal: answer.value.proposal, proposalReason: null }
    : { proposalId, proposal: null, proposalReason: answer.unavailable }
}

/** The nth submission of a tx is its nth submit message, if their numbers are equal. */
const contentInTx = (
  { plan }: HeightState,
  { txIndex, ordinal, proposalId }: RawFactOf<'submitted'>,
): ProposalContent | undefined => {
  const tx = txIndex === null ? undefined : plan.block.txs[txIndex]
  if (!tx) return undefined
  const siblings = plan.facts
    .map(({ fact }) => fact)
    .filter((fact) => fact.kind === 'submitted' && fact.txIndex === txIndex)
  const submissions = submissionsInTx(tx.bytes)
  const found = submissions[siblings.findIndex((fact) => fact.ordinal === ordinal)]
  if (!found || submissions.length !== siblings.length) return undefined
  const proposal = { proposalId, ...found.proposal, submitTime: plan.block.time }
  return { proposal, messages: found.messages }
}

/** The parameters for the transactions of a block; undefined if its begin or end block changed them, or if unknown. */
const readParamsForTxs = async ({ before, after }: HeightState): Promise<GovParams | undefined> => {
  const [was, is] = await Promise.all([before.params(), after.params()])
  if (!isKnown(is)) return isKnown(was) ? was.value : undefined
  // A chain's first block has no state before it.
  if (!isKnown(was)) return is.value
  return Value.Equal(was.value, is.value) ? is.value : undefined
}

type Times = Pick<ProposalState, 'depositEndTime' | 'votingStartTime' | 'votingEndTime' | 'status'>

/** The periods of a proposal that is in no state: computed from its events and the parameters. */
const timesInBlock = async (
  state: HeightState,
  proposal: ProposalState,
): Promise<Partial<Times>> => {
  const { block, facts } = state.plan
  const params = await readParamsForTxs(state)
  const end = (seconds: number | null | undefined): string | null =>
    typeof seconds === 'number' ? secondsAfter(block.time, seconds) : null
  const depositEndTime = end(params?.maxDepositPeriodSeconds)
  const isVoting = facts.some(
    ({ fact }) => fact.kind === 'voting_started' && fact.proposalId === proposal.proposalId,
  )
  if (!isVoting) return { depositEndTime }
  const period = proposal.expedited
    ? params?.expeditedVotingPeriodSeconds
    : params?.votingPeriodSeconds
  return {
    depositEndTime,
    status: 'voting_period',
    votingStartTime: block.time,
    votingEndTime: end(period),
  }
}

export const submittedContent = async (
  state: HeightState,
  fact: RawFactOf<'submitted'>,
): Promise<ProposalAsOfHeight & { messages: Message[]; proposerReason?: string }> => {
  const { proposalId } = fact
  const answer = await state.after.proposal(proposalId)
  if (isKnown(answer)) {
    const { proposal } = answer.value
    const { messages } = await state.proposals.decode(proposalId, answer.value.messages)
    // Before SDK 0.47 the state does not contain it.
    const proposer = proposal.proposer ?? fact.proposer
    const { proposerReason } = fact
    return {
      proposalId,
      proposal: { ...proposal, proposer },
      messages,
      proposalReason: null,
      ...(proposer === null && proposerReason !== null ? { proposerReason } : {}),
    }
  }
  const content = contentInTx(state, fact)
  if (content) {
    const times = await timesInBlock(state, content.proposal)
    const { messages } = await state.proposals.decode(proposalId, content.messages)
    return {
      proposalId,
      proposal: { ...content.proposal, ...times },
      messages,
      proposalReason: `taken from its transaction: ${answer.unavailable}`,
    }
  }
  return { proposalId, proposal: null, messages: [], proposalReason: answer.unavailable }
}
