// Reads parameters and governance state from the chain for the plot.
import type { EncodeObject } from '@cosmjs/proto-signing'
import { Params as GovParams } from 'cosmjs-types/cosmos/gov/v1/gov'
import {
  QueryParamsRequest,
  QueryParamsResponse,
  QueryProposalRequest,
  QueryProposalResponse,
  QueryProposalsRequest,
  QueryProposalsResponse,
} from 'cosmjs-types/cosmos/gov/v1/query'
import { MsgUpdateParams as GovUpdateParams } from 'cosmjs-types/cosmos/gov/v1/tx'
import {
  QueryParamsRequest as StakingParamsRequest,
  QueryParamsResponse as StakingParamsResponse,
} from 'cosmjs-types/cosmos/staking/v1beta1/query'
import type { Params as StakingParams } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import { MsgUpdateParams as StakingUpdateParams } from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import type { Scene } from './scene.ts'

type Reader = Pick<Scene, 'chain' | 'governance'>

export async function updateGovernance(
  scene: Reader,
  change: Partial<GovParams>,
): Promise<EncodeObject> {
  const request = QueryParamsRequest.encode({ paramsType: '' }).finish()
  const answer = await scene.chain.rpc.query('/cosmos.gov.v1.Query/Params', request, 0)
  const { params } = QueryParamsResponse.decode(answer)
  const changed = GovParams.fromPartial({ ...params, ...change } as GovParams)
  return {
    typeUrl: '/cosmos.gov.v1.MsgUpdateParams',
    value: GovUpdateParams.fromPartial({ authority: scene.governance, params: changed }),
  }
}

export async function updateStaking(
  scene: Reader,
  change: Partial<StakingParams>,
): Promise<EncodeObject> {
  const request = StakingParamsRequest.encode({}).finish()
  const path = '/cosmos.staking.v1beta1.Query/Params'
  const { params } = StakingParamsResponse.decode(await scene.chain.rpc.query(path, request, 0))
  return {
    typeUrl: '/cosmos.staking.v1beta1.MsgUpdateParams',
    value: StakingUpdateParams.fromPartial({
      authority: scene.governance,
      params: { ...params, ...change },
    }),
  }
}

export async function readGovernanceProposal(scene: Scene): Promise<bigint> {
  const request = QueryProposalsRequest.fromPartial({ pagination: { reverse: true, limit: 100n } })
  const bytes = await scene.chain.rpc.query(
    '/cosmos.gov.v1.Query/Proposals',
    QueryProposalsRequest.encode(request).finish(),
    0,
  )
  const own = QueryProposalsResponse.decode(bytes).proposals.find(
    ({ proposer }) => proposer === scene.governance,
  )
  if (!own) throw new Error('governance submitted nothing')
  return own.id
}

/** Milliseconds of the chain's clock. */
export async function votingEndMs(scene: Scene, proposalId: bigint): Promise<number> {
  // A node serves the state of a block a moment after its results.
  await scene.chain.untilHeight(scene.chain.tip().height + 1)
  const request = QueryProposalRequest.encode({ proposalId }).finish()
  const bytes = await scene.chain.rpc.query('/cosmos.gov.v1.Query/Proposal', request, 0)
  const end = QueryProposalResponse.decode(bytes).proposal?.votingEndTime
  if (!end) throw new Error(`proposal ${proposalId} is not in its voting period`)
  return Number(end.seconds) * 1_000 + end.nanos / 1e6
}
