// Messages of chains that count otherwise, as bytes. Names and numbers: the files of `rules-node/proto`.
import { fromBech32, toBech32 } from '@cosmjs/encoding'
import type { EncodeObject, GeneratedType } from '@cosmjs/proto-signing'
import { MsgSubmitProposal, MsgVote, MsgVoteWeighted } from 'cosmjs-types/cosmos/gov/v1/tx'
import { MsgDelegate, MsgUndelegate } from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import { bytesField, concat, stringField, uintField } from '../../../infra/app/chain/raw-message.ts'
import type { Account } from '../accounts.ts'
import { toPoolAddress } from '../scenario/scene.ts'

const POSITIONS = '/chainmain.tieredrewards.v1'
const ATOMONE = '/atomone.gov.v1'
const EPOCHS = '/babylon.epoching.v1'

/** A message that is its bytes already. */
const asBytes = {
  encode: (value: Uint8Array) => ({ finish: () => value }),
  decode: (value: Uint8Array) => value,
  fromPartial: (value: Uint8Array) => value,
} as unknown as GeneratedType

const RAW = [
  `${POSITIONS}.MsgLockTier`,
  `${POSITIONS}.MsgCommitDelegationToTier`,
  `${POSITIONS}.MsgAddToTierPosition`,
  `${POSITIONS}.MsgTierRedelegate`,
  `${POSITIONS}.MsgTierUndelegate`,
  `${ATOMONE}.MsgCreateGovernor`,
  `${ATOMONE}.MsgUpdateGovernorStatus`,
  `${ATOMONE}.MsgDelegateGovernor`,
  `${ATOMONE}.MsgUndelegateGovernor`,
  `${EPOCHS}.MsgWrappedDelegate`,
  `${EPOCHS}.MsgWrappedUndelegate`,
]

export const RULES_TYPES: readonly [string, GeneratedType][] = [
  ...RAW.map((name): [string, GeneratedType] => [name, asBytes]),
  // The same numbers as in Cosmos SDK.
  [`${ATOMONE}.MsgVote`, MsgVote as unknown as GeneratedType],
  [`${ATOMONE}.MsgVoteWeighted`, MsgVoteWeighted as unknown as GeneratedType],
  [`${ATOMONE}.MsgSubmitProposal`, MsgSubmitProposal as unknown as GeneratedType],
]

/** The same message under the name that AtomOne has for it. */
export const toAtomone = ({ typeUrl, value }: EncodeObject): EncodeObject => ({
  typeUrl: typeUrl.replace('/cosmos.gov.v1.', `${ATOMONE}.`),
  value,
})

const createMessage = (typeUrl: string, fields: readonly Uint8Array[]): EncodeObject => ({
  typeUrl,
  value: concat(fields),
})

export const lock = (owner: Account, pool: Account, amount: bigint): EncodeObject =>
  createMessage(`${POSITIONS}.MsgLockTier`, [
    stringField(1, owner.address),
    uintField(2, 1n),
    stringField(3, String(amount)),
    stringField(4, toPoolAddress(pool)),
  ])

/** Moves a part of the owner's own delegation into a position. */
export const commit = (owner: Account, pool: Account, amount: bigint): EncodeObject =>
  createMessage(`${POSITIONS}.MsgCommitDelegationToTier`, [
    stringField(1, owner.address),
    stringField(2, toPoolAddress(pool)),
    stringField(3, String(amount)),
    uintField(4, 1n),
  ])

export const addTo = (position: bigint, owner: Account, amount: bigint): EncodeObject =>
  createMessage(`${POSITIONS}.MsgAddToTierPosition`, [
    stringField(1, owner.address),
    uintField(2, position),
    stringField(3, String(amount)),
  ])

export const movePosition = (position: bigint, owner: Account, to: Account): EncodeObject =>
  createMessage(`${POSITIONS}.MsgTierRedelegate`, [
    stringField(1, owner.address),
    uintField(2, position),
    stringField(3, toPoolAddress(to)),
  ])

export const leavePosition = (position: bigint, owner: Account): EncodeObject =>
  createMessage(`${POSITIONS}.MsgTierUndelegate`, [
    stringField(1, owner.address),
    uintField(2, position),
  ])

export function governorAddress({ address }: Account): string {
  const { prefix, data } = fromBech32(address)
  return toBech32(`${prefix}gov`, data)
}

export const becomeGovernor = (account: Account): EncodeObject =>
  createMessage(`${ATOMONE}.MsgCreateGovernor`, [
    stringField(1, account.address),
    bytesField(2, stringField(1, account.name)),
  ])

export const setGovernorStatus = (account: Account, status: 'active' | 'inactive'): EncodeObject =>
  createMessage(`${ATOMONE}.MsgUpdateGovernorStatus`, [
    stringField(1, account.address),
    uintField(2, status === 'active' ? 1n : 2n),
  ])

export const chooseGovernor = (delegator: Account, governor: Account): EncodeObject =>
  createMessage(`${ATOMONE}.MsgDelegateGovernor`, [
    stringField(1, delegator.address),
    stringField(2, governorAddress(governor)),
  ])

export const leaveGovernor = (delegator: Account): EncodeObject =>
  createMessage(`${ATOMONE}.MsgUndelegateGovernor`, [stringField(1, delegator.address)])

/** Puts off a delegation, or its end, to the end of the epoch. */
export function putOff({ typeUrl, value }: EncodeObject): EncodeObject {
  const isEnd = typeUrl.endsWith('.MsgUndelegate')
  const bytes = isEnd ? MsgUndelegate.encode(value).finish() : MsgDelegate.encode(value).finish()
  const name = isEnd ? 'MsgWrappedUndelegate' : 'MsgWrappedDelegate'
  return createMessage(`${EPOCHS}.${name}`, [bytesField(1, bytes)])
}
