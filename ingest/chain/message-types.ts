// Every protobuf type we can read inside an `Any`, by type URL: what proposals execute and what transactions carry.

import type { BinaryReader } from 'cosmjs-types/binary'
import * as auth from 'cosmjs-types/cosmos/auth/v1beta1/tx'
import * as authzTypes from 'cosmjs-types/cosmos/authz/v1beta1/authz'
import * as authz from 'cosmjs-types/cosmos/authz/v1beta1/tx'
import * as bankAuthz from 'cosmjs-types/cosmos/bank/v1beta1/authz'
import * as bank from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import * as circuit from 'cosmjs-types/cosmos/circuit/v1/tx'
import * as consensus from 'cosmjs-types/cosmos/consensus/v1/tx'
import * as crisis from 'cosmjs-types/cosmos/crisis/v1beta1/tx'
import * as ed25519 from 'cosmjs-types/cosmos/crypto/ed25519/keys'
import * as multisig from 'cosmjs-types/cosmos/crypto/multisig/keys'
import * as secp256k1 from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import * as distributionTypes from 'cosmjs-types/cosmos/distribution/v1beta1/distribution'
import * as distribution from 'cosmjs-types/cosmos/distribution/v1beta1/tx'
import * as evidence from 'cosmjs-types/cosmos/evidence/v1beta1/tx'
import * as feegrantTypes from 'cosmjs-types/cosmos/feegrant/v1beta1/feegrant'
import * as feegrant from 'cosmjs-types/cosmos/feegrant/v1beta1/tx'
import * as gov from 'cosmjs-types/cosmos/gov/v1/tx'
import * as govLegacyTypes from 'cosmjs-types/cosmos/gov/v1beta1/gov'
import * as govLegacy from 'cosmjs-types/cosmos/gov/v1beta1/tx'
import * as group from 'cosmjs-types/cosmos/group/v1/tx'
import * as groupTypes from 'cosmjs-types/cosmos/group/v1/types'
import * as mint from 'cosmjs-types/cosmos/mint/v1beta1/tx'
import * as nft from 'cosmjs-types/cosmos/nft/v1beta1/tx'
import * as params from 'cosmjs-types/cosmos/params/v1beta1/params'
import * as protocolpool from 'cosmjs-types/cosmos/protocolpool/v1/tx'
import * as slashing from 'cosmjs-types/cosmos/slashing/v1beta1/tx'
import * as stakingAuthz from 'cosmjs-types/cosmos/staking/v1beta1/authz'
import * as staking from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import * as upgrade from 'cosmjs-types/cosmos/upgrade/v1beta1/tx'
import * as upgradeTypes from 'cosmjs-types/cosmos/upgrade/v1beta1/upgrade'
import * as vesting from 'cosmjs-types/cosmos/vesting/v1beta1/tx'
import * as wasmAuthz from 'cosmjs-types/cosmwasm/wasm/v1/authz'
import * as wasmLegacy from 'cosmjs-types/cosmwasm/wasm/v1/proposal_legacy'
import * as wasm from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import * as icaController from 'cosmjs-types/ibc/applications/interchain_accounts/controller/v1/tx'
import * as icaHost from 'cosmjs-types/ibc/applications/interchain_accounts/host/v1/tx'
import * as transferAuthz from 'cosmjs-types/ibc/applications/transfer/v1/authz'
import * as transfer from 'cosmjs-types/ibc/applications/transfer/v1/tx'
import * as channel from 'cosmjs-types/ibc/core/channel/v1/tx'
import * as clientTypes from 'cosmjs-types/ibc/core/client/v1/client'
import * as client from 'cosmjs-types/ibc/core/client/v1/tx'
import * as clientTwo from 'cosmjs-types/ibc/core/client/v2/tx'
import * as connection from 'cosmjs-types/ibc/core/connection/v1/tx'
import * as soloMachine from 'cosmjs-types/ibc/lightclients/solomachine/v3/solomachine'
import * as tendermintClient from 'cosmjs-types/ibc/lightclients/tendermint/v1/tendermint'
import * as wasmClient from 'cosmjs-types/ibc/lightclients/wasm/v1/tx'
import * as wasmClientTypes from 'cosmjs-types/ibc/lightclients/wasm/v1/wasm'

/** What a generated type offers; `toJSON` gives camelCase with integers as text, bytes as base64. */
export type MessageCodec = {
  typeUrl: string
  decode(bytes: BinaryReader | Uint8Array): unknown
  encode(message: unknown): { finish(): Uint8Array }
  toJSON(message: unknown): unknown
}

const modules: readonly object[] = [
  ...[authzTypes, authz, auth, bankAuthz, bank, circuit, consensus, crisis],
  ...[ed25519, multisig, secp256k1, distributionTypes, distribution, evidence],
  ...[feegrantTypes, feegrant, gov, govLegacyTypes, govLegacy, group, groupTypes, mint, nft],
  ...[params, protocolpool, slashing, stakingAuthz, staking, upgrade, upgradeTypes, vesting],
  ...[wasmAuthz, wasmLegacy, wasm, icaController, icaHost, transferAuthz, transfer],
  ...[channel, clientTypes, client, clientTwo, connection],
  ...[soloMachine, tendermintClient, wasmClient, wasmClientTypes],
]

const isCodec = (value: unknown): value is MessageCodec =>
  typeof value === 'object' && value !== null && 'typeUrl' in value && 'toJSON' in value

export const messageCodecs: ReadonlyMap<string, MessageCodec> = new Map(
  modules
    .flatMap((module) => Object.values(module))
    .filter(isCodec)
    .map((codec) => [codec.typeUrl, codec]),
)
