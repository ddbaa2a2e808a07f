// One MsgUpdateParams of every module that has one: the parameters in force, with a few of them changed.
import { BinaryWriter } from 'cosmjs-types/binary'
import * as authQuery from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { MsgUpdateParams as AuthUpdate } from 'cosmjs-types/cosmos/auth/v1beta1/tx'
import * as bankQuery from 'cosmjs-types/cosmos/bank/v1beta1/query'
import { MsgUpdateParams as BankUpdate } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import * as consensusQuery from 'cosmjs-types/cosmos/consensus/v1/query'
import { MsgUpdateParams as ConsensusUpdate } from 'cosmjs-types/cosmos/consensus/v1/tx'
import * as distributionQuery from 'cosmjs-types/cosmos/distribution/v1beta1/query'
import { MsgUpdateParams as DistributionUpdate } from 'cosmjs-types/cosmos/distribution/v1beta1/tx'
import * as govQuery from 'cosmjs-types/cosmos/gov/v1/query'
import { MsgUpdateParams as GovUpdate } from 'cosmjs-types/cosmos/gov/v1/tx'
import * as mintQuery from 'cosmjs-types/cosmos/mint/v1beta1/query'
import { MsgUpdateParams as MintUpdate } from 'cosmjs-types/cosmos/mint/v1beta1/tx'
import * as poolQuery from 'cosmjs-types/cosmos/protocolpool/v1/query'
import { MsgUpdateParams as PoolUpdate } from 'cosmjs-types/cosmos/protocolpool/v1/tx'
import * as slashingQuery from 'cosmjs-types/cosmos/slashing/v1beta1/query'
import { MsgUpdateParams as SlashingUpdate } from 'cosmjs-types/cosmos/slashing/v1beta1/tx'
import * as stakingQuery from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { MsgUpdateParams as StakingUpdate } from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import * as wasmQuery from 'cosmjs-types/cosmwasm/wasm/v1/query'
import { MsgUpdateParams as WasmUpdate } from 'cosmjs-types/cosmwasm/wasm/v1/tx'
import { AccessType } from 'cosmjs-types/cosmwasm/wasm/v1/types'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import * as controllerQuery from 'cosmjs-types/ibc/applications/interchain_accounts/controller/v1/query'
import { MsgUpdateParams as ControllerUpdate } from 'cosmjs-types/ibc/applications/interchain_accounts/controller/v1/tx'
import * as hostQuery from 'cosmjs-types/ibc/applications/interchain_accounts/host/v1/query'
import { MsgUpdateParams as HostUpdate } from 'cosmjs-types/ibc/applications/interchain_accounts/host/v1/tx'
import * as transferQuery from 'cosmjs-types/ibc/applications/transfer/v1/query'
import { Params as TransferParams } from 'cosmjs-types/ibc/applications/transfer/v1/transfer'
import { MsgUpdateParams as ClientUpdate } from 'cosmjs-types/ibc/core/client/v1/tx'
import { Params as ConnectionParams } from 'cosmjs-types/ibc/core/connection/v1/connection'
import { BOND_DENOM } from '../chain-spec.ts'
import { pack } from './pack.ts'
import { type ModuleProposal, type Stage, scaled } from './stage.ts'

type Response<Params> = { decode(bytes: Uint8Array): { params?: Params } }

async function inForce<Params>({ rpc }: Stage, path: string, response: Response<Params>) {
  const { params } = response.decode(await rpc.query(path, new Uint8Array(), 0))
  if (!params) throw new Error(`${path} has no params`)
  return params
}

/** The types that are compiled in have the parameters of another module in these two messages. */
function packIbcUpdate(module: string, signer: string, params: Uint8Array): Any {
  const value = BinaryWriter.create().uint32(10).string(signer).uint32(18).bytes(params).finish()
  return { typeUrl: `/ibc.${module}.v1.MsgUpdateParams`, value }
}

async function ofGovernance(stage: Stage): Promise<ModuleProposal> {
  const params = await inForce(stage, '/cosmos.gov.v1.Query/Params', govQuery.QueryParamsResponse)
  const changed = {
    ...params,
    quorum: '0.350000000000000000',
    expeditedMinDeposit: [{ denom: BOND_DENOM, amount: '750000000' }],
    votingPeriod: { seconds: 86_400n, nanos: 500_000_000 },
    burnVoteVeto: !params.burnVoteVeto,
  }
  const message = pack(GovUpdate, { authority: stage.governance, params: changed })
  return { name: 'gov update params', messages: [message] }
}

async function ofAccounts(stage: Stage): Promise<ModuleProposal[]> {
  const authority = stage.governance
  const [auth, bank, consensus] = await Promise.all([
    inForce(stage, '/cosmos.auth.v1beta1.Query/Params', authQuery.QueryParamsResponse),
    inForce(stage, '/cosmos.bank.v1beta1.Query/Params', bankQuery.QueryParamsResponse),
    inForce(stage, '/cosmos.consensus.v1.Query/Params', consensusQuery.QueryParamsResponse),
  ])
  const { block, evidence, validator, abci } = consensus
  if (!block || !evidence || !validator) throw new Error('consensus parameters are incomplete')
  return [
    {
      name: 'auth update params',
      messages: [pack(AuthUpdate, { authority, params: { ...auth, maxMemoCharacters: 512n } })],
    },
    {
      name: 'bank update params',
      messages: [pack(BankUpdate, { authority, params: { ...bank, defaultSendEnabled: false } })],
    },
    {
      name: 'consensus update params',
      messages: [
        pack(ConsensusUpdate, {
          authority,
          block: { ...block, maxGas: 75_000_000n },
          evidence,
          validator,
          ...(abci ? { abci } : {}),
        }),
      ],
    },
  ]
}

async function ofStake(stage: Stage): Promise<ModuleProposal[]> {
  const authority = stage.governance
  const [staking, slashing, mint] = await Promise.all([
    inForce(stage, '/cosmos.staking.v1beta1.Query/Params', stakingQuery.QueryParamsResponse),
    inForce(stage, '/cosmos.slashing.v1beta1.Query/Params', slashingQuery.QueryParamsResponse),
    inForce(stage, '/cosmos.mint.v1beta1.Query/Params', mintQuery.QueryParamsResponse),
  ])
  return [
    {
      name: 'staking update params',
      messages: [
        pack(StakingUpdate, {
          authority,
          params: { ...staking, maxValidators: staking.maxValidators + 7 },
        }),
      ],
    },
    {
      name: 'slashing update params',
      messages: [
        pack(SlashingUpdate, {
          authority,
          params: {
            ...slashing,
            // The wire type is bytes, of the same text as other decimals.
            slashFractionDowntime: Buffer.from(scaled(2)),
            downtimeJailDuration: { seconds: 90n, nanos: 250_000_000 },
          },
        }),
      ],
    },
    {
      name: 'mint update params',
      messages: [pack(MintUpdate, { authority, params: { ...mint, inflationMax: scaled(12) } })],
    },
  ]
}

async function ofPools(stage: Stage): Promise<ModuleProposal[]> {
  const authority = stage.governance
  const [distribution, pool] = await Promise.all([
    inForce(
      stage,
      '/cosmos.distribution.v1beta1.Query/Params',
      distributionQuery.QueryParamsResponse,
    ),
    inForce(stage, '/cosmos.protocolpool.v1.Query/Params', poolQuery.QueryParamsResponse),
  ])
  return [
    {
      name: 'distribution update params',
      messages: [
        pack(DistributionUpdate, {
          authority,
          params: { ...distribution, communityTax: scaled(7), withdrawAddrEnabled: false },
        }),
      ],
    },
    {
      name: 'protocol pool update params',
      messages: [
        pack(PoolUpdate, {
          authority,
          params: {
            ...pool,
            enabledDistributionDenoms: [...pool.enabledDistributionDenoms, 'ibc/ABC'],
            distributionFrequency: 200n,
          },
        }),
      ],
    },
  ]
}

async function ofContracts(stage: Stage): Promise<ModuleProposal> {
  const wasm = await inForce(stage, '/cosmwasm.wasm.v1.Query/Params', wasmQuery.QueryParamsResponse)
  const codeUploadAccess = {
    permission: AccessType.ACCESS_TYPE_ANY_OF_ADDRESSES,
    addresses: [stage.governance, stage.other],
  }
  const params = { ...wasm, codeUploadAccess }
  return {
    name: 'wasm update params',
    messages: [pack(WasmUpdate, { authority: stage.governance, params })],
  }
}

async function ofIbcApplications(stage: Stage): Promise<ModuleProposal[]> {
  const signer = stage.governance
  const ica = '/ibc.applications.interchain_accounts'
  const [transfer, controller, host] = await Promise.all([
    inForce(stage, '/ibc.applications.transfer.v1.Query/Params', transferQuery.QueryParamsResponse),
    inForce(stage, `${ica}.controller.v1.Query/Params`, controllerQuery.QueryParamsResponse),
    inForce(stage, `${ica}.host.v1.Query/Params`, hostQuery.QueryParamsResponse),
  ])
  return [
    {
      name: 'transfer update params',
      messages: [
        packIbcUpdate(
          'applications.transfer',
          signer,
          TransferParams.encode({ ...transfer, sendEnabled: false }).finish(),
        ),
      ],
    },
    {
      name: 'interchain accounts update params, controller and host',
      messages: [
        pack(ControllerUpdate, {
          signer,
          params: { controllerEnabled: !controller.controllerEnabled },
        }),
        pack(HostUpdate, {
          signer,
          params: { ...host, allowMessages: ['/cosmos.bank.v1beta1.MsgSend'] },
        }),
      ],
    },
  ]
}

function ofIbcCore({ governance: signer }: Stage): ModuleProposal[] {
  const allowedClients = ['07-tendermint', '08-wasm']
  const maxExpectedTimePerBlock = 60_000_000_000n
  return [
    {
      name: 'ibc client update params',
      messages: [pack(ClientUpdate, { signer, params: { allowedClients } })],
    },
    {
      name: 'ibc connection update params',
      messages: [
        packIbcUpdate(
          'core.connection',
          signer,
          ConnectionParams.encode({ maxExpectedTimePerBlock }).finish(),
        ),
      ],
    },
  ]
}

export async function parameterProposals(stage: Stage): Promise<ModuleProposal[]> {
  const groups = await Promise.all([
    ofGovernance(stage),
    ofAccounts(stage),
    ofStake(stage),
    ofPools(stage),
    ofContracts(stage),
    ofIbcApplications(stage),
    ofIbcCore(stage),
  ])
  return groups.flat()
}
