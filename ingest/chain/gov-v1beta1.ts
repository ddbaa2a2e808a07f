// The queries of `cosmos.gov.v1beta1` (SDK 0.45 and older); their responses become messages of v1.
// Sei added expedited votes to these messages; the fields of upstream have the same numbers.
import { PageResponse } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import { Proposal, type Vote } from 'cosmjs-types/cosmos/gov/v1/gov'
import {
  Proposal as LegacyProposal,
  type Vote as LegacyVote,
  type TallyResult,
} from 'cosmjs-types/cosmos/gov/v1beta1/gov'
import {
  QueryParamsRequest,
  QueryTallyResultResponse,
  QueryVotesResponse,
} from 'cosmjs-types/cosmos/gov/v1beta1/query'
import { toDecimal } from '../contract/decimal.ts'
import { lastBytes, readFields, type WireField } from '../schema/wire.ts'
import { type GovCodec, govPath } from './gov-v1.ts'
import { decodeLegacyParams } from './legacy-params.ts'
import { legacyText } from './legacy-text.ts'

const toTally = (tally: TallyResult) => ({
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

export const codec: GovCodec = {
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
      const { votes, pagination } = QueryVotesResponse.decode(bytes)
      return { votes: votes.map(toVote), pagination }
    },
  },
  tally: {
    decode: (bytes) => {
      const { tally } = QueryTallyResultResponse.decode(bytes)
      return { tally: tally && toTally(tally) }
    },
  },
}

export const paramsMethod = {
  path: govPath(codec.version, 'Params'),
  request: QueryParamsRequest,
  response: { decode: decodeLegacyParams },
}
