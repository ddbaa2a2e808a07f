// Messages of chains that count otherwise, as bytes. Names and numbers: the files of `rules-node/proto`.
import { fromBech32, toBech32 } from '@cosmjs/encoding'
import type { EncodeObject } from '@cosmjs/proto-signing'
import { bytesField, concat, stringField, uintField } from '../../../infra/app/chain/raw-message.ts'
import { type Account, toPoolAddress } from '../accounts.ts'

/** The fields have the numbers of their positions. */
const encodeFields = (typeUrl: string, ...fields: (string | bigint)[]): EncodeObject => ({
  typeUrl,
  value: concat(
    fields.map((field, index) =>
      typeof field === 'string' ? stringField(index + 1, field) : uintField(index + 1, field),
    ),
  ),
})

const position = (name: string, ...fields: (string | bigint)[]): EncodeObject =>
  encodeFields(`/chainmain.tieredrewards.v1.${name}`, ...fields)

export const lock = ({ address }: Account, pool: Account, amount: bigint): EncodeObject =>
  position('MsgLockTier', address, 1n, String(amount), toPoolAddress(pool))

/** Moves a part of the owner's own delegation into a position. */
export const commit = ({ address }: Account, pool: Account, amount: bigint): EncodeObject =>
  position('MsgCommitDelegationToTier', address, toPoolAddress(pool), String(amount), 1n)

export const addTo = (id: bigint, { address }: Account, amount: bigint): EncodeObject =>
  position('MsgAddToTierPosition', address, id, String(amount))

export const movePosition = (id: bigint, { address }: Account, to: Account): EncodeObject =>
  position('MsgTierRedelegate', address, id, toPoolAddress(to))

export const leavePosition = (id: bigint, { address }: Account): EncodeObject =>
  position('MsgTierUndelegate', address, id)

const governor = (name: string, ...fields: (string | bigint)[]): EncodeObject =>
  encodeFields(`/atomone.gov.v1.${name}`, ...fields)

function governorAddress({ address }: Account): string {
  const { prefix, data } = fromBech32(address)
  return toBech32(`${prefix}gov`, data)
}

export const becomeGovernor = ({ address, name }: Account): EncodeObject => ({
  typeUrl: '/atomone.gov.v1.MsgCreateGovernor',
  value: concat([stringField(1, address), bytesField(2, stringField(1, name))]),
})

export const setGovernorStatus = ({ address }: Account, status: 'active' | 'inactive') =>
  governor('MsgUpdateGovernorStatus', address, status === 'active' ? 1n : 2n)

export const chooseGovernor = ({ address }: Account, chosen: Account): EncodeObject =>
  governor('MsgDelegateGovernor', address, governorAddress(chosen))

export const leaveGovernor = ({ address }: Account): EncodeObject =>
  governor('MsgUndelegateGovernor', address)

/** Puts off a delegation, or its end, to the end of the epoch. */
export const putOff = (message: EncodeObject): EncodeObject => ({
  typeUrl: message.typeUrl.replace(
    '/cosmos.staking.v1beta1.Msg',
    '/babylon.epoching.v1.MsgWrapped',
  ),
  value: bytesField(1, message.value),
})
