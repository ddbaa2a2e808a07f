// Decodes the responses of x/gov of either version into messages of `cosmos.gov.v1` (SDK 0.46 and later). Sei added expedited votes to
// `v1beta1`; the fields of upstream have the same numbers.
import { PageResponse } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import { Proposal, type TallyResult, type Vote } from 'cosmjs-types/cosmos/gov/v1/gov'
import {
  QueryProposalResponse,
  QueryProposalsResponse,
  QueryTallyResultResponse,
  QueryVotesResponse,
} from 'cosmjs-types/cosmos/gov/v1/query'
import {
  Proposal as LegacyProposal,
  type TallyResult as LegacyTally,
  type Vote as LegacyVote,
} from 'cosmjs-types/cosmos/gov/v1beta1/gov'
import {
  QueryTallyResultResponse as QueryLegacyTallyResponse,
  QueryVotesResponse as QueryLegacyVotesResponse,
} from 'cosmjs-types/cosmos/gov/v1beta1/query'
import { toDecimal } from '../contract/decimal.ts'
import { lastBytes, readFields, type WireField } from '../schema/wire.ts'
import { legacyText } from './proposal-content.ts'

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

export const modernCodec: GovCodec = {
  version: 'v1',
  stored: Proposal,
  proposal: QueryProposalResponse,
  proposals: QueryProposalsResponse,
  votes: QueryVotesResponse,
  tally: QueryTallyResultResponse,
}

const toTally = (tally: LegacyTally) => ({
  yesCount: tally.yes,
  abstainCount: tally.abstain,
  noCount: tally.no,
  noWithVetoCount: tally.noWithVeto,
})

const IS_EXPEDITED = 10

const decodeProposal = (bytes: Uint8Array): Proposal => {
  const flag = readFields(bytes).findLast(({ no }) => no === IS_EXPEDITED)
  const { proposalId, content, finalTallyResult, ...common } = LegacyProposal.decode(bytes)
  return {
    ...Proposal.fromPartial({}),
    ...common,
    ...legacyText(content),
    id: proposalId,
    messages: content ? [content] : [],
    expedited: flag?.value === 1n,
    finalTallyResult: finalTallyResult && toTally(finalTallyResult),
  }
}

/** The proposals of a response: field 1 of both queries. */
const decodeProposals = (fields: readonly WireField[]): Proposal[] =>
  fields.flatMap(({ no, value }) =>
    no === 1 && value instanceof Uint8Array ? [decodeProposal(value)] : [],
  )

const WHOLE_WEIGHT = '1'

/** Before 0.43 a vote had one option and no weights. Weights here are integers of 1e-18. */
const toVote = ({ proposalId, voter, option, options }: LegacyVote): Vote => ({
  proposalId,
  voter,
  options:
    options.length > 0
      ? options.map((each) => ({ option: each.option, weight: toDecimal(each.weight) ?? '' }))
      : [{ option, weight: WHOLE_WEIGHT }],
  metadata: '',
})

export const legacyCodec: GovCodec = {
  version: 'v1beta1',
  stored: { decode: decodeProposal },
  proposal: { decode: (bytes) => ({ proposal: decodeProposals(readFields(bytes))[0] }) },
  proposals: {
    decode: (bytes) => {
      const fields = readFields(bytes)
      const pagination = lastBytes(fields, 2)
      return {
        pagination: pagination && PageResponse.decode(pagination),
        proposals: decodeProposals(fields),
      }
    },
  },
  votes: {
    decode: (bytes) => {
      const { votes, pagination } = QueryLegacyVotesResponse.decode(bytes)
      return { votes: votes.map(toVote), pagination }
    },
  },
  tally: {
    decode: (bytes) => {
      const { tally } = QueryLegacyTallyResponse.decode(bytes)
      return { tally: tally && toTally(tally) }
    },
  },
}
