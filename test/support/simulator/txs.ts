// Transactions as bytes, for tests of the code that decodes them.
import { MsgExec } from 'cosmjs-types/cosmos/authz/v1beta1/tx'
import { MsgSubmitProposal, MsgVote } from 'cosmjs-types/cosmos/gov/v1/tx'
import { MsgVoteWeighted as LegacyVoteWeighted } from 'cosmjs-types/cosmos/gov/v1beta1/tx'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'

export const encodeTx = (...messages: Any[]): Uint8Array => encodeTxWithMemo('', messages)

export const encodeTxWithMemo = (memo: string, messages: Any[]): Uint8Array => {
  const bodyBytes = TxBody.encode(TxBody.fromPartial({ messages, memo })).finish()
  return TxRaw.encode(TxRaw.fromPartial({ bodyBytes })).finish()
}

export const voteMessage = (proposalId: string, voter: string, option = 1, metadata = ''): Any => ({
  typeUrl: MsgVote.typeUrl,
  value: MsgVote.encode(
    MsgVote.fromPartial({ proposalId: BigInt(proposalId), voter, option, metadata }),
  ).finish(),
})

/** Weights are integers of 1e-18 in v1beta1. */
export const legacyWeightedVote = (
  proposalId: string,
  voter: string,
  options: { option: number; weight: string }[],
): Any => ({
  typeUrl: LegacyVoteWeighted.typeUrl,
  value: LegacyVoteWeighted.encode(
    LegacyVoteWeighted.fromPartial({ proposalId: BigInt(proposalId), voter, options }),
  ).finish(),
})

export const execMessage = (grantee: string, ...msgs: Any[]): Any => ({
  typeUrl: MsgExec.typeUrl,
  value: MsgExec.encode(MsgExec.fromPartial({ grantee, msgs })).finish(),
})

export const submitMessage = (title: string, proposer: string, messages: Any[] = []): Any => ({
  typeUrl: MsgSubmitProposal.typeUrl,
  value: MsgSubmitProposal.encode(
    MsgSubmitProposal.fromPartial({
      title,
      proposer,
      messages,
      summary: 'A summary',
      metadata: 'ipfs://x',
      initialDeposit: [{ denom: 'stake', amount: '3' }],
    }),
  ).finish(),
})
