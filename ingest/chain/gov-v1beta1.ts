// Reads the state of x/gov through `cosmos.gov.v1beta1` (SDK 0.45 and older) and decodes it into the same facts as v1.
// Sei added expedited votes to these messages; the fields of upstream have the same numbers.

import { PageResponse } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import { Coin } from 'cosmjs-types/cosmos/base/v1beta1/coin'
import { Proposal, type Vote } from 'cosmjs-types/cosmos/gov/v1beta1/gov'
import {
  QueryParamsRequest,
  QueryParamsResponse,
  QueryProposalRequest,
  QueryProposalsRequest,
  QueryTallyResultRequest,
  QueryTallyResultResponse,
  QueryVotesRequest,
  QueryVotesResponse,
} from 'cosmjs-types/cosmos/gov/v1beta1/query'
import { Duration } from 'cosmjs-types/google/protobuf/duration'
import { canonicalAddress } from '../contract/address.ts'
import { InvalidDecimal, toDecimal } from '../contract/decimal.ts'
import type { GovParams } from '../contract/facts.ts'
import { lastBytes, readFields, type WireField } from '../schema/wire.ts'
import type { ParamsParts, StateVote } from './gov-v1.ts'
import { legacyText } from './legacy-text.ts'
import {
  type ProposalContent,
  readMessageTypes,
  statusName,
  toCoins,
  toFinalTally,
  toTallyCounts,
} from './proposal-content.ts'
import { rfc3339, toSeconds } from './time.ts'
import { weightedOptions } from './vote-option.ts'

const path = (method: string): string => `/cosmos.gov.v1beta1.Query/${method}`

type ExpeditableProposal = Proposal & { isExpedited: boolean }

const IS_EXPEDITED = 10

const decodeProposal = (bytes: Uint8Array): ExpeditableProposal => {
  const flag = readFields(bytes).findLast(({ no }) => no === IS_EXPEDITED)
  return { ...Proposal.decode(bytes), isExpedited: flag?.value === 1n }
}

/** The proposals of a response: field 1 of both queries. */
const decodeProposals = (fields: readonly WireField[]): ExpeditableProposal[] =>
  fields.flatMap(({ no, value }) =>
    no === 1 && value instanceof Uint8Array ? [decodeProposal(value)] : [],
  )

export const proposalMethod = {
  path: path('Proposal'),
  request: QueryProposalRequest,
  response: {
    decode: (bytes: Uint8Array) => ({ proposal: decodeProposals(readFields(bytes))[0] }),
  },
}

type ProposalsPage = {
  pagination: PageResponse | undefined
  proposals: ExpeditableProposal[]
}

export const proposalsMethod = {
  path: path('Proposals'),
  request: QueryProposalsRequest,
  response: {
    decode: (bytes: Uint8Array): ProposalsPage => {
      const fields = readFields(bytes)
      const pagination = lastBytes(fields, 2)
      return {
        pagination: pagination && PageResponse.decode(pagination),
        proposals: decodeProposals(fields),
      }
    },
  },
  items: (page: ProposalsPage) => page.proposals,
}
export const votesMethod = {
  path: path('Votes'),
  request: QueryVotesRequest,
  response: QueryVotesResponse,
  items: (response: QueryVotesResponse) => response.votes,
}
export const tallyMethod = {
  path: path('TallyResult'),
  request: QueryTallyResultRequest,
  response: QueryTallyResultResponse,
}

/** Parts of the response, and their fields in Sei: durations and coins are messages, rates texts. */
const PART = { voting: 1, deposit: 2, tally: 3 } as const

export type Params = QueryParamsResponse & {
  expeditedVotingPeriod: Duration | undefined
  expeditedMinDeposit: Coin[]
  expeditedQuorum: Uint8Array | undefined
  expeditedThreshold: Uint8Array | undefined
}

export const paramsMethod = {
  path: path('Params'),
  request: QueryParamsRequest,
  response: {
    decode: (bytes: Uint8Array): Params => {
      const response = QueryParamsResponse.decode(bytes)
      const part = (no: number) => readFields(lastBytes(readFields(bytes), no))
      const period = lastBytes(part(PART.voting), 2)
      const coins = part(PART.deposit).filter(({ no }) => no === 3)
      return {
        ...response,
        expeditedVotingPeriod: period && Duration.decode(period),
        expeditedMinDeposit: coins.flatMap(({ value }) =>
          value instanceof Uint8Array ? [Coin.decode(value)] : [],
        ),
        expeditedQuorum: lastBytes(part(PART.tally), 4),
        expeditedThreshold: lastBytes(part(PART.tally), 5),
      }
    },
  },
}

export const tallyCounts = toTallyCounts

export const readProposal = (proposal: ExpeditableProposal): ProposalContent => {
  const messages = proposal.content ? [proposal.content] : []
  const status = statusName(proposal.status)
  return {
    proposal: {
      proposalId: proposal.proposalId.toString(),
      ...legacyText(proposal.content),
      metadata: '',
      proposer: null,
      messageTypes: readMessageTypes(messages),
      status,
      expedited: proposal.isExpedited,
      failedReason: null,
      submitTime: rfc3339(proposal.submitTime),
      depositEndTime: rfc3339(proposal.depositEndTime),
      votingStartTime: rfc3339(proposal.votingStartTime),
      votingEndTime: rfc3339(proposal.votingEndTime),
      totalDeposit: toCoins(proposal.totalDeposit),
      finalTally: toFinalTally(
        proposal.finalTallyResult && tallyCounts(proposal.finalTallyResult),
        status,
      ),
    },
    messages,
  }
}

/** `bytes`: as stored before SDK 0.46. */
export const readStoredProposal = (bytes: Uint8Array): ProposalContent =>
  readProposal(decodeProposal(bytes))

const WHOLE_WEIGHT = '1'

/** Before 0.43 a vote had one option and no weights. Weights here are integers of 1e-18. */
export const readVote = ({ voter, option, options }: Vote): StateVote | undefined => {
  const listed =
    options.length > 0
      ? options.map((each) => ({ option: each.option, weight: toDecimal(each.weight) ?? '' }))
      : [{ option, weight: WHOLE_WEIGHT }]
  const weighted = weightedOptions(listed)
  return weighted && { voter: canonicalAddress(voter), options: weighted }
}

/** Null if the chain has no such rate. Throws `InvalidDecimal` for anything but an integer of 1e-18. */
const rate = (bytes: Uint8Array = new Uint8Array()): string | null => {
  if (bytes.length === 0) return null
  const text = Buffer.from(bytes).toString('utf8')
  const decimal = toDecimal(text)
  if (decimal === undefined) throw new InvalidDecimal(text)
  return decimal
}

export const readParams = ({ tally, voting, deposit }: ParamsParts<Params>): GovParams => {
  const { tallyParams } = tally
  const depositParams = deposit?.depositParams
  const expeditedQuorum = rate(tally.expeditedQuorum)
  return {
    quorum: rate(tallyParams?.quorum),
    threshold: rate(tallyParams?.threshold),
    vetoThreshold: rate(tallyParams?.vetoThreshold),
    ...(expeditedQuorum === null ? {} : { expeditedQuorum }),
    expeditedThreshold: rate(tally.expeditedThreshold),
    votingPeriodSeconds: toSeconds(voting?.votingParams?.votingPeriod),
    expeditedVotingPeriodSeconds: toSeconds(voting?.expeditedVotingPeriod),
    maxDepositPeriodSeconds: toSeconds(depositParams?.maxDepositPeriod),
    minDeposit: toCoins(depositParams?.minDeposit),
    expeditedMinDeposit: toCoins(deposit?.expeditedMinDeposit),
    burnVoteQuorum: null,
    burnVoteVeto: null,
  }
}
