// Decodes the governance messages of a transaction in execution order, including those inside an authz execution.
import { MsgExec } from 'cosmjs-types/cosmos/authz/v1beta1/tx'
import {
  MsgDeposit,
  MsgSubmitProposal,
  MsgVote,
  MsgVoteWeighted,
} from 'cosmjs-types/cosmos/gov/v1/tx'
import {
  MsgSubmitProposal as LegacySubmitProposal,
  MsgVoteWeighted as LegacyVoteWeighted,
} from 'cosmjs-types/cosmos/gov/v1beta1/tx'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import {
  legacyText,
  listMessageTypes,
  type ProposalContent,
  proposalText,
  toCoins,
  weightedOptions,
} from '../chain/proposal-content.ts'
import { toDecimal } from '../contract/decimal.ts'
import type { Coin, WeightedOption } from '../contract/facts.ts'
import { toUpstreamGovType } from '../contract/gov-type.ts'
import type { AnyMessage } from '../schema/message-json.ts'

/** A proposal as its transaction has it: the chain assigns the ID and the time. */
type TxSubmission = {
  messages: ProposalContent['messages']
  proposal: Omit<ProposalContent['proposal'], 'proposalId' | 'submitTime'>
}

/** `proposalId` is null for the deposit of a submission. */
export type TxMessage =
  | {
      act: 'vote'
      actor: string
      proposalId: string
      options: WeightedOption[]
      metadata: string
    }
  | { act: 'deposit'; actor: string; proposalId: string | null; amount: Coin[] }
  | { act: 'submission'; actor: string; submission: TxSubmission }

/** Messages of v1beta1 have no metadata. */
type Cast = { proposalId: bigint; voter: string; metadata?: string }

const vote = (
  { proposalId, voter, metadata = '' }: Cast,
  options: readonly { option: number; weight: string }[],
): TxMessage[] => {
  const weighted = weightedOptions(options)
  if (!weighted) return []
  return [
    { act: 'vote', actor: voter, proposalId: proposalId.toString(), options: weighted, metadata },
  ]
}

const readVote = (bytes: Uint8Array): TxMessage[] => {
  const { option, ...cast } = MsgVote.decode(bytes)
  return vote(cast, [{ option, weight: '1' }])
}

const readDeposit = (bytes: Uint8Array): TxMessage[] => {
  const { proposalId, depositor, amount } = MsgDeposit.decode(bytes)
  return [
    {
      act: 'deposit',
      actor: depositor,
      proposalId: proposalId.toString(),
      amount: toCoins(amount),
    },
  ]
}

type Content = Pick<TxSubmission['proposal'], 'title' | 'summary' | 'metadata' | 'expedited'>

/** Each submission makes a deposit, possibly empty. */
const submit = (
  { proposer, initialDeposit }: { proposer: string; initialDeposit: Coin[] },
  { title, summary, metadata, expedited }: Content,
  messages: TxSubmission['messages'],
): TxMessage[] => {
  const totalDeposit = toCoins(initialDeposit)
  const proposal = {
    title,
    summary,
    metadata,
    expedited,
    proposer,
    ...listMessageTypes(messages),
    status: 'deposit_period',
    failedReason: null,
    depositEndTime: null,
    votingStartTime: null,
    votingEndTime: null,
    totalDeposit,
    finalTally: null,
  }
  return [
    { act: 'submission', actor: proposer, submission: { messages, proposal } },
    { act: 'deposit', actor: proposer, proposalId: null, amount: totalDeposit },
  ]
}

/** By type, of the package of upstream. Votes and deposits have the same fields in both versions. */
const READERS: ReadonlyMap<string, (bytes: Uint8Array) => TxMessage[]> = new Map([
  ['/cosmos.gov.v1.MsgVote', readVote],
  ['/cosmos.gov.v1beta1.MsgVote', readVote],
  [
    '/cosmos.gov.v1.MsgVoteWeighted',
    (bytes) => {
      const cast = MsgVoteWeighted.decode(bytes)
      return vote(cast, cast.options)
    },
  ],
  [
    '/cosmos.gov.v1beta1.MsgVoteWeighted',
    (bytes) => {
      const cast = LegacyVoteWeighted.decode(bytes)
      const toWeight = (atto: string) => toDecimal(atto) ?? ''
      return vote(
        cast,
        cast.options.map(({ option, weight }) => ({ option, weight: toWeight(weight) })),
      )
    },
  ],
  ['/cosmos.gov.v1.MsgDeposit', readDeposit],
  ['/cosmos.gov.v1beta1.MsgDeposit', readDeposit],
  [
    '/cosmos.gov.v1.MsgSubmitProposal',
    (bytes) => {
      const submission = MsgSubmitProposal.decode(bytes)
      const { metadata, expedited, messages } = submission
      const content = { ...proposalText(submission, messages), metadata, expedited }
      return submit(submission, content, messages)
    },
  ],
  [
    '/cosmos.gov.v1beta1.MsgSubmitProposal',
    (bytes) => {
      const { content, ...origin } = LegacySubmitProposal.decode(bytes)
      const text = { ...legacyText(content), metadata: '', expedited: false }
      return submit(origin, text, content ? [content] : [])
    },
  ],
])

const MAX_DEPTH = 16

const inner = (message: AnyMessage, depth: number): AnyMessage[] => {
  if (message.typeUrl !== MsgExec.typeUrl || depth > MAX_DEPTH) return [message]
  return MsgExec.decode(message.value).msgs.flatMap((each) => inner(each, depth + 1))
}

/** Empty for another message, and for one that cannot be decoded. */
const read = ({ typeUrl, value }: AnyMessage): TxMessage[] => {
  try {
    return READERS.get(toUpstreamGovType(typeUrl))?.(value) ?? []
  } catch {
    return []
  }
}

export type DecodedTx = { messages: readonly TxMessage[]; memo: string }

/** Without messages of contracts and groups. Empty if the bytes are not a transaction of the SDK. */
export function decodeTx(txBytes: Uint8Array): DecodedTx {
  try {
    const { messages, memo } = TxBody.decode(TxRaw.decode(txBytes).bodyBytes)
    return { messages: messages.flatMap((message) => inner(message, 0)).flatMap(read), memo }
  } catch {
    return { messages: [], memo: '' }
  }
}

/** Every proposal that its messages submit, in order. */
export function submissionsInTx(txBytes: Uint8Array): TxSubmission[] {
  return decodeTx(txBytes).messages.flatMap((each) =>
    each.act === 'submission' ? [each.submission] : [],
  )
}
