// The queries of `cosmos.gov.v1` (SDK 0.46 and later) and their responses.
import type { PageResponse } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import { Coin } from 'cosmjs-types/cosmos/base/v1beta1/coin'
import { Proposal, type TallyResult, type Vote } from 'cosmjs-types/cosmos/gov/v1/gov'
import {
  QueryParamsRequest,
  QueryParamsResponse,
  QueryProposalResponse,
  QueryProposalsResponse,
  QueryTallyResultResponse,
  QueryVotesResponse,
} from 'cosmjs-types/cosmos/gov/v1/query'
import { readFields } from '../schema/wire.ts'
import { readKindParams, readQuorums } from './kind-params.ts'
import { decodeLegacyParams } from './legacy-params.ts'

type Decoder<Message> = { decode(bytes: Uint8Array): Message }
type Page<Items> = Items & { pagination?: PageResponse | undefined }

/** Decodes the responses of one version into messages of v1. */
export type GovCodec = {
  version: string
  /** A proposal as the chain stores it. */
  stored: Decoder<Proposal>
  proposal: Decoder<{ proposal?: Proposal | undefined }>
  proposals: Decoder<Page<{ proposals: Proposal[] }>>
  votes: Decoder<Page<{ votes: Vote[] }>>
  tally: Decoder<{ tally?: TallyResult | undefined }>
}

export const govPath = (version: string, method: string): string =>
  `/cosmos.gov.${version}.Query/${method}`

export const codec: GovCodec = {
  version: 'v1',
  stored: Proposal,
  proposal: QueryProposalResponse,
  proposals: QueryProposalsResponse,
  votes: QueryVotesResponse,
  tally: QueryTallyResultResponse,
}

export const paramsMethod = {
  path: govPath(codec.version, 'Params'),
  request: QueryParamsRequest,
  response: {
    decode: (bytes: Uint8Array) => ({
      params: QueryParamsResponse.decode(bytes).params,
      kindParams: readKindParams(bytes),
      parts: decodeLegacyParams(bytes),
    }),
  },
}

/** AtomOne computes some parameters; these queries report their current values. */
export const quorumsMethod = {
  path: govPath(codec.version, 'Quorums'),
  request: QueryParamsRequest,
  response: { decode: readQuorums },
}
export const minDepositMethod = {
  path: govPath(codec.version, 'MinDeposit'),
  request: QueryParamsRequest,
  response: {
    decode: (bytes: Uint8Array): Coin[] =>
      readFields(bytes).flatMap(({ no, value }) =>
        no === 1 && value instanceof Uint8Array ? [Coin.decode(value)] : [],
      ),
  },
}
