// The messages of the demo's proposals: parameters, upgrades, funds, contracts and light clients.
import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import type { EncodeObject } from '@cosmjs/proto-signing'
import { QueryParamsResponse as DistributionParams } from 'cosmjs-types/cosmos/distribution/v1beta1/query'
import { MsgUpdateParams as UpdateDistribution } from 'cosmjs-types/cosmos/distribution/v1beta1/tx'
import { QueryParamsResponse as MintParams } from 'cosmjs-types/cosmos/mint/v1beta1/query'
import { MsgUpdateParams as UpdateMint } from 'cosmjs-types/cosmos/mint/v1beta1/tx'
import { QueryParamsResponse as SlashingParams } from 'cosmjs-types/cosmos/slashing/v1beta1/query'
import { MsgUpdateParams as UpdateSlashing } from 'cosmjs-types/cosmos/slashing/v1beta1/tx'
import {
  MsgInstantiateContract,
  MsgMigrateContract,
  MsgPinCodes,
  MsgStoreCode,
} from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import { MsgRecoverClient } from 'cosmjs-types/ibc/core/client/v1/tx'
import { coin, softwareUpgrade, spendFromPool, storeCode } from '../messages.ts'
import { ROLL } from '../scenario/scene.ts'
import { pack } from './pack.ts'
import { findMade, type Stage } from './story.ts'

const jsonBytes = (value: unknown) => Buffer.from(JSON.stringify(value))

/** A decimal of the chain, in units of 1e-18 as on the wire. */
export const percent = (value: number): string =>
  String(BigInt(Math.round(value * 100)) * 10n ** 14n)

export const spend =
  (to: string, amount: bigint) =>
  (stage: Stage): EncodeObject[] => [
    spendFromPool(stage.governance, stage.person(to).address, amount * ROLL),
  ]

/** Upgrades of this chain are at heights that are divisible by ten. */
export const upgrade =
  (name: string, blocks: number) =>
  (stage: Stage): EncodeObject[] => {
    const height = Math.ceil((stage.chain.tip().height + blocks) / 10) * 10
    return [softwareUpgrade(stage.governance, name, BigInt(height))]
  }

type ParamsResponse<Params> = { decode(bytes: Uint8Array): { params?: Params | undefined } }

async function readParams<Params>(
  { chain }: Stage,
  module: string,
  response: ParamsResponse<Params>,
): Promise<Params> {
  const path = `/cosmos.${module}.Query/Params`
  const { params } = response.decode(await chain.rpc.query(path, new Uint8Array(), 0))
  if (!params) throw new Error(`${path} has no parameters`)
  return params
}

export const setMint =
  (change: object) =>
  async (stage: Stage): Promise<EncodeObject[]> => {
    const params = await readParams(stage, 'mint.v1beta1', MintParams)
    return [pack(UpdateMint, { authority: stage.governance, params: { ...params, ...change } })]
  }

export const setSlashing =
  (change: object) =>
  async (stage: Stage): Promise<EncodeObject[]> => {
    const params = await readParams(stage, 'slashing.v1beta1', SlashingParams)
    return [pack(UpdateSlashing, { authority: stage.governance, params: { ...params, ...change } })]
  }

export const setDistribution =
  (change: object) =>
  async (stage: Stage): Promise<EncodeObject[]> => {
    const params = await readParams(stage, 'distribution.v1beta1', DistributionParams)
    const changed = { ...params, ...change }
    return [pack(UpdateDistribution, { authority: stage.governance, params: changed })]
  }

export const recoverClient = (stage: Stage): EncodeObject[] => [
  pack(MsgRecoverClient, {
    subjectClientId: findMade(stage, 'expired client'),
    substituteClientId: findMade(stage, 'new client'),
    signer: stage.governance,
  }),
]

const readCode = async (path: string) => gzipSync(await readFile(path), { level: 9 })

export const uploadCode = async (sender: string, path: string): Promise<EncodeObject> =>
  storeCode(sender, await readCode(path))

export const storeEscrow = async (stage: Stage): Promise<EncodeObject[]> => [
  pack(MsgStoreCode, {
    sender: stage.governance,
    wasmByteCode: await readCode(findMade(stage, 'file of the second escrow')),
  }),
]

const toEscrowMessage = (stage: Stage) => ({
  verifier: stage.person('council').address,
  beneficiary: stage.person('community').address,
})

export const createEscrow = (sender: string, stage: Stage, label: string): EncodeObject => ({
  typeUrl: MsgInstantiateContract.typeUrl,
  value: MsgInstantiateContract.fromPartial({
    sender,
    admin: stage.governance,
    codeId: 1n,
    label,
    msg: jsonBytes(toEscrowMessage(stage)),
    funds: [coin(20_000n * ROLL)],
  }),
})

/** The code that governance stored is the second one. */
export const migrateEscrow = (stage: Stage): EncodeObject[] => [
  pack(MsgMigrateContract, {
    sender: stage.governance,
    contract: findMade(stage, 'escrow'),
    codeId: 2n,
    msg: jsonBytes({ verifier: stage.person('treasurer').address }),
  }),
]

export const pinEscrow = (stage: Stage): EncodeObject[] => [
  pack(MsgPinCodes, { authority: stage.governance, codeIds: [2n] }),
]
