// Decodes the messages of a transaction in execution order, including those inside an authz execution.
import { MsgExec } from 'cosmjs-types/cosmos/authz/v1beta1/tx'
import {
  MsgDeposit,
  MsgSubmitProposal,
  MsgVote,
  MsgVoteWeighted,
} from 'cosmjs-types/cosmos/gov/v1/tx'
import {
  MsgDeposit as LegacyDeposit,
  MsgSubmitProposal as LegacySubmitProposal,
  MsgVote as LegacyVote,
  MsgVoteWeighted as LegacyVoteWeighted,
} from 'cosmjs-types/cosmos/gov/v1beta1/tx'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import {
  legacyText,
  type ProposalContent,
  proposalText,
  readMessageTypes,
  toCoins,
  weightedOptions,
} from '../chain/proposal-content.ts'
import { toDecimal } from '../contract/decimal.ts'
import type { Coin, WeightedOption } from '../contract/facts.ts'
import { toUpstreamGovType } from '../contract/gov-type.ts'
import type { AnyMessage } from '../schema/message-json.ts'

const MAX_DEPTH = 16

const inner = (message: AnyMessage, depth: number): AnyMessage[] => {
  if (message.typeUrl !== MsgExec.typeUrl || depth > MAX_DEPTH) return [message]
  return MsgExec.decode(message.value).msgs.flatMap((each) => inner(each, depth + 1))
}

/**
 * What `read` finds in each message, in execution order. Messages of a fork of x/gov have the type of upstream. Empty if the bytes are
 * not a transaction of the SDK.
 */
const readMessages = <Found>(
  txBytes: Uint8Array,
  read: (message: AnyMessage) => readonly Found[],
): Found[] => {
  try {
    const { messages } = TxBody.decode(TxRaw.decode(txBytes).bodyBytes)
    return messages
      .flatMap((message) => inner(message, 0))
      .flatMap(({ typeUrl, value }) => read({ typeUrl: toUpstreamGovType(typeUrl), value }))
  } catch {
    return []
  }
}

export type TxVote = { proposalId: string; actor: string; options: WeightedOption[] }

const toTxVotes = (
  { proposalId, voter }: { proposalId: bigint; voter: string },
  options: readonly { option: number; weight: string }[],
): TxVote[] => {
  const weighted = weightedOptions(options)
  return weighted ? [{ proposalId: proposalId.toString(), actor: voter, options: weighted }] : []
}

const readVoteMessage = ({ typeUrl, value }: AnyMessage): TxVote[] => {
  switch (typeUrl) {
    case MsgVote.typeUrl:
    case LegacyVote.typeUrl: {
      // The same fields in both versions.
      const vote = MsgVote.decode(value)
      return toTxVotes(vote, [{ option: vote.option, weight: '1' }])
    }
    case MsgVoteWeighted.typeUrl: {
      const vote = MsgVoteWeighted.decode(value)
      return toTxVotes(vote, vote.options)
    }
    case LegacyVoteWeighted.typeUrl: {
      const vote = LegacyVoteWeighted.decode(value)
      return toTxVotes(
        vote,
        vote.options.map((each) => ({ ...each, weight: toDecimal(each.weight) ?? '' })),
      )
    }
    default:
      return []
  }
}

/** Every vote message, in execution order, without votes of contracts. */
export function votesInTx(txBytes: Uint8Array): TxVote[] {
  return readMessages(txBytes, readVoteMessage)
}

/** `proposalId` is null for the deposit of a submission: the chain assigns the ID. */
export type TxDeposit = { actor: string; proposalId: string | null; amount: Coin[] }

const readDepositMessage = ({ typeUrl, value }: AnyMessage): TxDeposit[] => {
  switch (typeUrl) {
    case MsgDeposit.typeUrl:
    case LegacyDeposit.typeUrl: {
      // The same fields in both versions.
      const { proposalId, depositor, amount } = MsgDeposit.decode(value)
      return [{ actor: depositor, proposalId: proposalId.toString(), amount: toCoins(amount) }]
    }
    case MsgSubmitProposal.typeUrl:
    case LegacySubmitProposal.typeUrl: {
      const { proposer, initialDeposit } = MsgSubmitProposal.decode(value)
      return [{ actor: proposer, proposalId: null, amount: toCoins(initialDeposit) }]
    }
    default:
      return []
  }
}

/** Every deposit of its messages, in order: each submission makes one, possibly empty. */
export function depositsInTx(txBytes: Uint8Array): TxDeposit[] {
  return readMessages(txBytes, readDepositMessage)
}

/** The proposer of every submission, in order. */
export const proposersInTx = (txBytes: Uint8Array): { actor: string }[] =>
  depositsInTx(txBytes).filter(({ proposalId }) => proposalId === null)

type Submission = Omit<ProposalContent['proposal'], 'proposalId' | 'submitTime'>

const submission = (
  content: Pick<Submission, 'title' | 'summary' | 'metadata' | 'expedited'>,
  origin: { proposer: string; deposit: Submission['totalDeposit'] },
  messages: ProposalContent['messages'],
) => ({
  messages,
  proposal: {
    ...content,
    proposer: origin.proposer,
    messageTypes: readMessageTypes(messages),
    status: 'deposit_period',
    failedReason: null,
    depositEndTime: null,
    votingStartTime: null,
    votingEndTime: null,
    totalDeposit: toCoins(origin.deposit),
    finalTally: null,
  },
})

type TxSubmission = ReturnType<typeof submission>

const readSubmission = ({ typeUrl, value }: AnyMessage): TxSubmission[] => {
  if (typeUrl === MsgSubmitProposal.typeUrl) {
    const submit = MsgSubmitProposal.decode(value)
    const origin = { proposer: submit.proposer, deposit: submit.initialDeposit }
    const { metadata, expedited } = submit
    const content = { ...proposalText(submit, submit.messages), metadata, expedited }
    return [submission(content, origin, submit.messages)]
  }
  if (typeUrl !== LegacySubmitProposal.typeUrl) return []
  const submit = LegacySubmitProposal.decode(value)
  const messages = submit.content ? [submit.content] : []
  const content = { ...legacyText(submit.content), metadata: '', expedited: false }
  return [
    submission(content, { proposer: submit.proposer, deposit: submit.initialDeposit }, messages),
  ]
}

/** Every proposal that its messages submit, in order, with the data in the transaction. */
export function submissionsInTx(txBytes: Uint8Array): TxSubmission[] {
  return readMessages(txBytes, readSubmission)
}
