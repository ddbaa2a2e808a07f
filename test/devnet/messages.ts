// The messages that the scenario sends, as short constructors that only encode.
import type { EncodeObject, GeneratedType } from '@cosmjs/proto-signing'
import { GenericAuthorization } from 'cosmjs-types/cosmos/authz/v1beta1/authz'
import { MsgExec, MsgGrant } from 'cosmjs-types/cosmos/authz/v1beta1/tx'
import { VoteOption, type WeightedVoteOption } from 'cosmjs-types/cosmos/gov/v1/gov'
import {
  MsgUpdateParams as GovUpdateParams,
  MsgCancelProposal,
  MsgDeposit,
  MsgExecLegacyContent,
  MsgSubmitProposal,
  MsgVote,
  MsgVoteWeighted,
} from 'cosmjs-types/cosmos/gov/v1/tx'
import { TextProposal } from 'cosmjs-types/cosmos/gov/v1beta1/gov'
import { MsgCommunityPoolSpend, MsgFundCommunityPool } from 'cosmjs-types/cosmos/protocolpool/v1/tx'
import { MsgUnjail } from 'cosmjs-types/cosmos/slashing/v1beta1/tx'
import { MsgUpdateParams as StakingUpdateParams } from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import { MsgSoftwareUpgrade } from 'cosmjs-types/cosmos/upgrade/v1beta1/tx'
import {
  MsgExecuteContract,
  MsgInstantiateContract,
  MsgStoreCode,
} from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import { Any } from 'cosmjs-types/google/protobuf/any'
import { MsgCreateClient } from 'cosmjs-types/ibc/core/client/v1/tx'
import { BOND_DENOM } from './chain-spec.ts'

const types = {
  '/cosmos.gov.v1.MsgCancelProposal': MsgCancelProposal,
  '/cosmos.gov.v1.MsgUpdateParams': GovUpdateParams,
  '/cosmos.gov.v1.MsgExecLegacyContent': MsgExecLegacyContent,
  '/cosmos.protocolpool.v1.MsgCommunityPoolSpend': MsgCommunityPoolSpend,
  '/cosmos.protocolpool.v1.MsgFundCommunityPool': MsgFundCommunityPool,
  '/cosmos.staking.v1beta1.MsgUpdateParams': StakingUpdateParams,
  '/cosmos.slashing.v1beta1.MsgUnjail': MsgUnjail,
  '/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade': MsgSoftwareUpgrade,
  '/cosmwasm.wasm.v1.MsgStoreCode': MsgStoreCode,
  '/ibc.core.client.v1.MsgCreateClient': MsgCreateClient,
  '/cosmwasm.wasm.v1.MsgInstantiateContract': MsgInstantiateContract,
  '/cosmwasm.wasm.v1.MsgExecuteContract': MsgExecuteContract,
} as const
export const EXTRA_TYPES = Object.entries(types) as unknown as [string, GeneratedType][]

export const YES = VoteOption.VOTE_OPTION_YES
export const NO = VoteOption.VOTE_OPTION_NO
export const ABSTAIN = VoteOption.VOTE_OPTION_ABSTAIN
export const VETO = VoteOption.VOTE_OPTION_NO_WITH_VETO

export const coin = (amount: bigint) => ({ denom: BOND_DENOM, amount: String(amount) })

export function vote(
  proposalId: bigint,
  voter: string,
  option: VoteOption,
  metadata = '',
): EncodeObject {
  return {
    typeUrl: '/cosmos.gov.v1.MsgVote',
    value: MsgVote.fromPartial({ proposalId, voter, option, metadata }),
  }
}

/** Weights are sent as written, not normalized. */
export function weightedVote(
  proposalId: bigint,
  voter: string,
  weights: readonly (readonly [VoteOption, string])[],
): EncodeObject {
  const options: WeightedVoteOption[] = weights.map(([option, weight]) => ({ option, weight }))
  return {
    typeUrl: '/cosmos.gov.v1.MsgVoteWeighted',
    value: MsgVoteWeighted.fromPartial({ proposalId, voter, options }),
  }
}

export function deposit(proposalId: bigint, depositor: string, amount: bigint): EncodeObject {
  return {
    typeUrl: '/cosmos.gov.v1.MsgDeposit',
    value: MsgDeposit.fromPartial({ proposalId, depositor, amount: [coin(amount)] }),
  }
}

export function cancel(proposalId: bigint, proposer: string): EncodeObject {
  return {
    typeUrl: '/cosmos.gov.v1.MsgCancelProposal',
    value: MsgCancelProposal.fromPartial({ proposalId, proposer }),
  }
}

const encoders: Record<string, { encode(value: never): { finish(): Uint8Array } }> = {
  ...(types as unknown as Record<string, { encode(value: never): { finish(): Uint8Array } }>),
  '/cosmos.gov.v1.MsgVote': MsgVote,
  '/cosmos.gov.v1.MsgVoteWeighted': MsgVoteWeighted,
  '/cosmos.gov.v1.MsgSubmitProposal': MsgSubmitProposal,
  '/cosmos.authz.v1beta1.MsgExec': MsgExec,
}

/** A message that no module of `cosmjs-types` declares comes as its bytes. */
function toAny({ typeUrl, value }: EncodeObject): Any {
  if (value instanceof Uint8Array) return Any.fromPartial({ typeUrl, value })
  const encoder = encoders[typeUrl]
  if (!encoder) throw new Error(`no encoder for ${typeUrl}`)
  return Any.fromPartial({ typeUrl, value: encoder.encode(value as never).finish() })
}

export type Submission = {
  title: string
  summary: string
  metadata: string
  expedited?: boolean
  messages: EncodeObject[]
}

export function submit(proposer: string, is: Submission, initialDeposit: bigint): EncodeObject {
  return {
    typeUrl: '/cosmos.gov.v1.MsgSubmitProposal',
    value: MsgSubmitProposal.fromPartial({
      proposer,
      title: is.title,
      summary: is.summary,
      metadata: is.metadata,
      expedited: is.expedited ?? false,
      initialDeposit: initialDeposit === 0n ? [] : [coin(initialDeposit)],
      messages: is.messages.map(toAny),
    }),
  }
}

export function execute(grantee: string, messages: EncodeObject[]): EncodeObject {
  return {
    typeUrl: '/cosmos.authz.v1beta1.MsgExec',
    value: MsgExec.fromPartial({ grantee, msgs: messages.map(toAny) }),
  }
}

export function grant(granter: string, grantee: string, messageType: string): EncodeObject {
  const authorization = GenericAuthorization.encode({ msg: messageType }).finish()
  return {
    typeUrl: '/cosmos.authz.v1beta1.MsgGrant',
    value: MsgGrant.fromPartial({
      granter,
      grantee,
      grant: {
        authorization: {
          typeUrl: '/cosmos.authz.v1beta1.GenericAuthorization',
          value: authorization,
        },
      },
    }),
  }
}

export function textContent(authority: string, title: string, description: string): EncodeObject {
  const content = TextProposal.encode({ title, description }).finish()
  return {
    typeUrl: '/cosmos.gov.v1.MsgExecLegacyContent',
    value: MsgExecLegacyContent.fromPartial({
      authority,
      content: { typeUrl: '/cosmos.gov.v1beta1.TextProposal', value: content },
    }),
  }
}

export function spendFromPool(authority: string, recipient: string, amount: bigint): EncodeObject {
  return {
    typeUrl: '/cosmos.protocolpool.v1.MsgCommunityPoolSpend',
    value: MsgCommunityPoolSpend.fromPartial({ authority, recipient, amount: [coin(amount)] }),
  }
}

export function fundPool(depositor: string, amount: bigint): EncodeObject {
  return {
    typeUrl: '/cosmos.protocolpool.v1.MsgFundCommunityPool',
    value: MsgFundCommunityPool.fromPartial({ depositor, amount: [coin(amount)] }),
  }
}

export function softwareUpgrade(authority: string, name: string, height: bigint): EncodeObject {
  // "No time" is Go's zero time, the first of January of year 1; the Unix epoch would be a date.
  const time = { seconds: -62_135_596_800n, nanos: 0 }
  const plan = { name, height, time, info: 'https://example.invalid/releases' }
  return {
    typeUrl: '/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade',
    value: MsgSoftwareUpgrade.fromPartial({ authority, plan }),
  }
}

export function contractVote(
  sender: string,
  contract: string,
  messages: readonly unknown[],
): EncodeObject {
  const msg = Buffer.from(JSON.stringify({ reflect_msg: { msgs: messages } }))
  return {
    typeUrl: '/cosmwasm.wasm.v1.MsgExecuteContract',
    value: MsgExecuteContract.fromPartial({ sender, contract, msg, funds: [] }),
  }
}

export function storeCode(sender: string, wasmByteCode: Uint8Array): EncodeObject {
  return {
    typeUrl: '/cosmwasm.wasm.v1.MsgStoreCode',
    value: MsgStoreCode.fromPartial({ sender, wasmByteCode }),
  }
}

export function instantiate(sender: string, codeId: bigint, funds: bigint): EncodeObject {
  return {
    typeUrl: '/cosmwasm.wasm.v1.MsgInstantiateContract',
    value: MsgInstantiateContract.fromPartial({
      sender,
      admin: sender,
      codeId,
      label: 'council multisig',
      msg: Buffer.from('{}'),
      funds: [coin(funds)],
    }),
  }
}
