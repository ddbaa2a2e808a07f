// The messages that the devnets send, as short constructors that only encode.
import type { EncodeObject } from '@cosmjs/proto-signing'
import { GenericAuthorization } from 'cosmjs-types/cosmos/authz/v1beta1/authz'
import { MsgExec, MsgGrant } from 'cosmjs-types/cosmos/authz/v1beta1/tx'
import { MsgMultiSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { VoteOption } from 'cosmjs-types/cosmos/gov/v1/gov'
import {
  MsgCancelProposal,
  MsgDeposit,
  MsgExecLegacyContent,
  MsgSubmitProposal,
  MsgVote,
  MsgVoteWeighted,
} from 'cosmjs-types/cosmos/gov/v1/tx'
import { TextProposal } from 'cosmjs-types/cosmos/gov/v1beta1/gov'
import { MsgCommunityPoolSpend } from 'cosmjs-types/cosmos/protocolpool/v1/tx'
import { MsgUnjail } from 'cosmjs-types/cosmos/slashing/v1beta1/tx'
import {
  MsgBeginRedelegate,
  MsgDelegate,
  MsgUndelegate,
} from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import { MsgSoftwareUpgrade } from 'cosmjs-types/cosmos/upgrade/v1beta1/tx'
import { Plan } from 'cosmjs-types/cosmos/upgrade/v1beta1/upgrade'
import { MsgExecuteContract } from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import { type Account, toPoolAddress } from './accounts.ts'
import { BOND_DENOM } from './genesis.ts'

type MessageType<Value> = {
  typeUrl: string
  fromPartial(value: never): Value
  encode(value: Value): { finish(): Uint8Array }
}

/** As bytes, like a message that no module of `cosmjs-types` declares. */
export const createMessage = <Value>(
  type: MessageType<Value>,
  value: Partial<Value>,
): EncodeObject => ({
  typeUrl: type.typeUrl,
  value: type.encode(type.fromPartial(value as never)).finish(),
})

export const YES = VoteOption.VOTE_OPTION_YES
export const NO = VoteOption.VOTE_OPTION_NO
export const ABSTAIN = VoteOption.VOTE_OPTION_ABSTAIN
export const VETO = VoteOption.VOTE_OPTION_NO_WITH_VETO

export const coin = (amount: bigint) => ({ denom: BOND_DENOM, amount: String(amount) })

export const vote = (proposalId: bigint, voter: string, option: VoteOption, metadata = '') =>
  createMessage(MsgVote, { proposalId, voter, option, metadata })

/** Weights are sent as written, not normalized. */
export function weightedVote(
  proposalId: bigint,
  voter: string,
  weights: readonly (readonly [VoteOption, string])[],
): EncodeObject {
  const options = weights.map(([option, weight]) => ({ option, weight }))
  return createMessage(MsgVoteWeighted, { proposalId, voter, options })
}

/** Does not divide evenly. */
export const voteInThirds = (proposalId: bigint, voter: string): EncodeObject =>
  weightedVote(proposalId, voter, [
    [YES, '0.333333333333333333'],
    [ABSTAIN, '0.333333333333333333'],
    [NO, '0.333333333333333334'],
  ])

export const deposit = (proposalId: bigint, depositor: string, amount: bigint) =>
  createMessage(MsgDeposit, { proposalId, depositor, amount: [coin(amount)] })

export const cancel = (proposalId: bigint, proposer: string) =>
  createMessage(MsgCancelProposal, { proposalId, proposer })

export type Submission = {
  title: string
  summary: string
  metadata: string
  expedited?: boolean
  messages?: readonly EncodeObject[]
}

export const submit = (proposer: string, is: Submission, initialDeposit: bigint) =>
  createMessage(MsgSubmitProposal, {
    ...is,
    proposer,
    initialDeposit: [coin(initialDeposit)],
    messages: [...(is.messages ?? [])],
  })

export const execute = (grantee: string, messages: EncodeObject[]) =>
  createMessage(MsgExec, { grantee, msgs: messages })

export function grant(granter: string, grantee: string, msg: string): EncodeObject {
  const authorization = {
    typeUrl: '/cosmos.authz.v1beta1.GenericAuthorization',
    value: GenericAuthorization.encode({ msg }).finish(),
  }
  const value = { granter, grantee, grant: { authorization } }
  return createMessage(MsgGrant, value)
}

export function textContent(authority: string, title: string, description: string): EncodeObject {
  const content = {
    typeUrl: '/cosmos.gov.v1beta1.TextProposal',
    value: TextProposal.encode({ title, description }).finish(),
  }
  return createMessage(MsgExecLegacyContent, { authority, content })
}

export function spendFromPool(authority: string, recipient: string, amount: bigint): EncodeObject {
  const value = { authority, recipient, amount: [coin(amount)] }
  return createMessage(MsgCommunityPoolSpend, value)
}

export function softwareUpgrade(authority: string, name: string, height: bigint): EncodeObject {
  // "No time" is Go's zero time, the first of January of year 1; the Unix epoch would be a date.
  const time = { seconds: -62_135_596_800n, nanos: 0 }
  const plan = { name, height, time, info: 'https://example.invalid/releases' }
  return createMessage(MsgSoftwareUpgrade, {
    authority,
    plan: Plan.fromPartial(plan),
  })
}

export function sendToAll(from: Account, to: readonly Account[], amount: bigint): EncodeObject {
  const total = amount * BigInt(to.length)
  return createMessage(MsgMultiSend, {
    inputs: [{ address: from.address, coins: [coin(total)] }],
    outputs: to.map(({ address }) => ({ address, coins: [coin(amount)] })),
  })
}

export const delegate = (delegator: Account, pool: Account, amount: bigint): EncodeObject =>
  createMessage(MsgDelegate, {
    delegatorAddress: delegator.address,
    validatorAddress: toPoolAddress(pool),
    amount: coin(amount),
  })

export const undelegate = (delegator: Account, pool: Account, amount: bigint): EncodeObject =>
  createMessage(MsgUndelegate, {
    delegatorAddress: delegator.address,
    validatorAddress: toPoolAddress(pool),
    amount: coin(amount),
  })

export const redelegate = (delegator: Account, [from, to]: [Account, Account], amount: bigint) =>
  createMessage(MsgBeginRedelegate, {
    delegatorAddress: delegator.address,
    validatorSrcAddress: toPoolAddress(from),
    validatorDstAddress: toPoolAddress(to),
    amount: coin(amount),
  })

export const unjail = (operator: Account) =>
  createMessage(MsgUnjail, { validatorAddr: toPoolAddress(operator) })

/** The contract sends the messages. */
export function executeContract(
  sender: string,
  contract: string,
  messages: readonly unknown[],
): EncodeObject {
  const msg = Buffer.from(JSON.stringify({ reflect_msg: { msgs: messages } }))
  return createMessage(MsgExecuteContract, { sender, contract, msg })
}
