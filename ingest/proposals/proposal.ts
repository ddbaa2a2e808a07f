// Reads a proposal with its messages as of its height, or from its transaction if it was submitted and deleted within one block.
import { Value } from 'typebox/value'
import { isKnown, reasonOrNull } from '../chain/answer.ts'
import type { ProposalContent } from '../chain/proposal-content.ts'
import { secondsAfter } from '../chain/time.ts'
import type { GovParams, Message, ProposalState } from '../contract/facts.ts'
import type { RawFactOf } from '../derive/raw-fact.ts'
import { submissionsInTx } from '../derive/tx-messages.ts'
import type { HeightState } from '../heights/height-state.ts'
import type { ChainSchema } from '../schema/chain-schema.ts'
import { builtInSchema } from '../schema/chain-schema.ts'
import type { AnyMessage } from '../schema/message-json.ts'
import { type DecodedMessages, decodeMessages } from '../schema/proposal-messages.ts'
import type { SchemaSource } from '../schema/schema-source.ts'

/** `schema`: undefined without messages. */
export type DecodedProposal = DecodedMessages & { schema?: ChainSchema }

/** The built-in schema is loaded on first use: most chains never need it. */
const decodeWith = (
  schema: ChainSchema = builtInSchema(),
  messages: readonly AnyMessage[],
): DecodedProposal => ({ ...decodeMessages(schema, messages), schema })

/** With the schema of the chain, read again for a type or field that it does not have. */
export async function decodeProposal(
  schemas: SchemaSource,
  messages: readonly AnyMessage[],
): Promise<DecodedProposal> {
  if (messages.length === 0) return { messages: [], kept: [], isComplete: true }
  const latest = await schemas.latest()
  const decoded = decodeWith(latest, messages)
  if (decoded.isComplete) return decoded
  const other = await schemas.afterUnknown()
  return other === latest ? decoded : decodeWith(other, messages)
}

/** The messages of a proposal in the state after the height; undefined without it. */
export async function readMessages(
  { after, schemas }: Pick<HeightState, 'after' | 'schemas'>,
  proposalId: string,
): Promise<DecodedProposal | undefined> {
  const content = await after.proposal(proposalId)
  return isKnown(content) ? await decodeProposal(schemas, content.value.messages) : undefined
}

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

/** `decoded`: undefined if neither the state nor the transaction has the messages. */
export async function readSubmission(
  state: HeightState,
  fact: RawFactOf<'submitted'>,
): Promise<{
  content: ProposalAsOfHeight & { messages: Message[]; proposerReason?: string }
  decoded: DecodedProposal | undefined
}> {
  const { proposalId, proposerReason } = fact
  const answer = await state.after.proposal(proposalId)
  const found = isKnown(answer) ? answer.value : contentInTx(state, fact)
  if (!found) {
    const proposalReason = reasonOrNull(answer)
    return {
      content: { proposalId, proposal: null, messages: [], proposalReason },
      decoded: undefined,
    }
  }
  const decoded = await decodeProposal(state.schemas, found.messages)
  const { messages } = decoded
  if (!isKnown(answer)) {
    const proposal = { ...found.proposal, ...(await timesInBlock(state, found.proposal)) }
    const proposalReason = `taken from its transaction: ${answer.unavailable}`
    return { content: { proposalId, proposal, messages, proposalReason }, decoded }
  }
  // Before SDK 0.47 the state does not contain it.
  const proposer = found.proposal.proposer ?? fact.proposer
  const proposal = { ...found.proposal, proposer }
  const reason = proposer === null && proposerReason !== null ? { proposerReason } : {}
  return { content: { proposalId, proposal, messages, proposalReason: null, ...reason }, decoded }
}
