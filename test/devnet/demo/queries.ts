// The queries of other modules whose answers the recording of the demo has at every height, because proposals refer to them.
import { Bech32PrefixRequest } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { QueryDenomMetadataRequest } from 'cosmjs-types/cosmos/bank/v1beta1/query'
import { QueryModuleVersionsRequest } from 'cosmjs-types/cosmos/upgrade/v1beta1/query'
import { QueryCodeInfoRequest, QueryContractInfoRequest } from 'cosmjs-types/cosmwasm/wasm/v1/query'
import { QueryClientStatusRequest } from 'cosmjs-types/ibc/core/client/v1/query'
import { BOND_DENOM } from '../chain-spec.ts'
import type { RecordedQuery } from '../state-reader.ts'
import { findMade, type Stage } from './story.ts'

const NOTHING = new Uint8Array()
/** Queries without a request. */
const PLAIN = [
  '/cosmos.auth.v1beta1.Query/Params',
  '/cosmos.distribution.v1beta1.Query/Params',
  '/cosmos.mint.v1beta1.Query/Params',
  '/cosmos.protocolpool.v1.Query/CommunityPool',
  '/cosmos.slashing.v1beta1.Query/Params',
]

export function listQueries(stage: Stage): RecordedQuery[] {
  const clients = ['expired client', 'new client'].map((name) => findMade(stage, name))
  return [
    ...PLAIN.map((path) => ({ path, data: NOTHING })),
    {
      path: '/cosmos.auth.v1beta1.Query/Bech32Prefix',
      data: Bech32PrefixRequest.encode({}).finish(),
    },
    {
      path: '/cosmos.bank.v1beta1.Query/DenomMetadata',
      data: QueryDenomMetadataRequest.encode({ denom: BOND_DENOM }).finish(),
    },
    {
      path: '/cosmos.upgrade.v1beta1.Query/ModuleVersions',
      data: QueryModuleVersionsRequest.encode({ moduleName: 'auth' }).finish(),
    },
    {
      path: '/cosmwasm.wasm.v1.Query/ContractInfo',
      data: QueryContractInfoRequest.encode({ address: findMade(stage, 'escrow') }).finish(),
    },
    ...[1n, 2n].map((codeId) => ({
      path: '/cosmwasm.wasm.v1.Query/CodeInfo',
      data: QueryCodeInfoRequest.encode({ codeId }).finish(),
    })),
    ...clients.map((clientId) => ({
      path: '/ibc.core.client.v1.Query/ClientStatus',
      data: QueryClientStatusRequest.encode({ clientId }).finish(),
    })),
  ]
}
