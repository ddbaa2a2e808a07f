// Decodes the responses of `cosmos.gov.v1beta1` into messages of `v1` (SDK 0.46 and later). Sei added expedited votes to `v1beta1`; the
// fields of upstream have the same numbers.
import { PageResponse } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import { Proposal, type TallyResult, type Vote } from 'cosmjs-types/cosmos/gov/v1/gov'
import {
  Proposal as LegacyProposal,
  type TallyResult as LegacyTally,
  type Vote as LegacyVote,
} from 'cosmjs-types/cosmos/gov/v1beta1/gov'
import { QueryTallyResultResponse, QueryVotesResponse } from 'cosmjs-types/cosmos/gov/v1beta1/query'
import { toDecimal } from '../contract/decimal.ts'
import { lastBytes, readFields } from '../schema/wire.ts'
import { legacyText } from './proposal-content.ts'

export type Paged<Items> = Items & { pagination?: PageResponse | undefined }

const toTally = (tally: LegacyTally): TallyResult => ({
  yesCount: tally.yes,
  abstainCount: tally.abstain,
  noCount: tally.no,
  noWithVetoCount: tally.noWithVeto,
})

const IS_EXPEDITED = 10

export function decodeProposal(bytes: Uint8Array): Proposal {
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

/** Field 1 of the responses with one proposal and with a list. */
export function decodeProposals(bytes: Uint8Array): Paged<{ proposals: Proposal[] }> {
  const fields = readFields(bytes)
  const pagination = lastBytes(fields, 2)
  const proposals = fields.flatMap(({ no, value }) =>
    no === 1 && value instanceof Uint8Array ? [decodeProposal(value)] : [],
  )
  return { proposals, pagination: pagination && PageResponse.decode(pagination) }
}

/** Before 0.43 a vote had one option and no weights. Weights here are integers of 1e-18. */
const toVote = ({ proposalId, voter, option, options }: LegacyVote): Vote => {
  const weighted = options.map((each) => ({ ...each, weight: toDecimal(each.weight) ?? '' }))
  const all = weighted.length > 0 ? weighted : [{ option, weight: '1' }]
  return { proposalId, voter, options: all, metadata: '' }
}

export function decodeVotes(bytes: Uint8Array): Paged<{ votes: Vote[] }> {
  const { votes, pagination } = QueryVotesResponse.decode(bytes)
  return { votes: votes.map(toVote), pagination }
}

export function decodeTally(bytes: Uint8Array): { tally?: TallyResult | undefined } {
  const { tally } = QueryTallyResultResponse.decode(bytes)
  return { tally: tally && toTally(tally) }
}
