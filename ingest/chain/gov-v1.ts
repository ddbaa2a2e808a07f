// Reads the state of x/gov through `cosmos.gov.v1` (SDK 0.46 and later) and decodes it into facts.
import { Coin } from 'cosmjs-types/cosmos/base/v1beta1/coin'
import { type Params, Proposal, type Vote } from 'cosmjs-types/cosmos/gov/v1/gov'
import {
  QueryParamsRequest,
  QueryParamsResponse,
  QueryProposalRequest,
  QueryProposalResponse,
  QueryProposalsRequest,
  QueryProposalsResponse,
  QueryTallyResultRequest,
  QueryTallyResultResponse,
  QueryVotesRequest,
  QueryVotesResponse,
} from 'cosmjs-types/cosmos/gov/v1/query'
import { canonicalAddress } from '../contract/address.ts'
import type { GovParams, TallyCounts, WeightedOption } from '../contract/facts.ts'
import { readFields } from '../schema/wire.ts'
import { readKindParams, readQuorums, toLimit } from './kind-params.ts'
import { proposalText } from './legacy-text.ts'
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

const path = (method: string): string => `/cosmos.gov.v1.Query/${method}`

export const proposalMethod = {
  path: path('Proposal'),
  request: QueryProposalRequest,
  response: QueryProposalResponse,
}
export const proposalsMethod = {
  path: path('Proposals'),
  request: QueryProposalsRequest,
  response: QueryProposalsResponse,
  items: (response: QueryProposalsResponse) => response.proposals,
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
export const paramsMethod = {
  path: path('Params'),
  request: QueryParamsRequest,
  response: {
    decode: (bytes: Uint8Array) => ({
      ...QueryParamsResponse.decode(bytes),
      kindParams: readKindParams(bytes),
    }),
  },
}

/** AtomOne computes some parameters; these queries report their current values. */
export const quorumsMethod = {
  path: path('Quorums'),
  request: QueryParamsRequest,
  response: { decode: readQuorums },
}
export const minDepositMethod = {
  path: path('MinDeposit'),
  request: QueryParamsRequest,
  response: {
    decode: (bytes: Uint8Array): Coin[] =>
      readFields(bytes).flatMap(({ no, value }) =>
        no === 1 && value instanceof Uint8Array ? [Coin.decode(value)] : [],
      ),
  },
}

type Tally = { yesCount: string; abstainCount: string; noCount: string; noWithVetoCount: string }

export const tallyCounts = (tally: Tally): TallyCounts | undefined =>
  toTallyCounts({
    yes: tally.yesCount,
    abstain: tally.abstainCount,
    no: tally.noCount,
    noWithVeto: tally.noWithVetoCount,
  })

export const readProposal = (proposal: Proposal): ProposalContent => {
  const { messages } = proposal
  const status = statusName(proposal.status)
  return {
    proposal: {
      proposalId: proposal.id.toString(),
      ...proposalText(proposal, messages),
      metadata: proposal.metadata,
      proposer: canonicalAddress(proposal.proposer) || null,
      messageTypes: readMessageTypes(messages),
      status,
      expedited: proposal.expedited,
      failedReason: proposal.failedReason || null,
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

/** `bytes`: as stored since SDK 0.46. */
export const readStoredProposal = (bytes: Uint8Array): ProposalContent =>
  readProposal(Proposal.decode(bytes))

export type StateVote = { voter: string; options: WeightedOption[] }

/** Undefined if a weight cannot be decoded. */
export const readVote = ({ voter, options }: Vote): StateVote | undefined => {
  const weighted = weightedOptions(options)
  return weighted && { voter: canonicalAddress(voter), options: weighted }
}

/** The parts of the parameters, one response each. */
export type ParamsParts<Response> = {
  tally: Response
  voting: Response | null
  deposit: Response | null
}

export const readParams = (params: Params): GovParams => ({
  quorum: toLimit(params.quorum),
  threshold: toLimit(params.threshold),
  vetoThreshold: toLimit(params.vetoThreshold),
  expeditedThreshold: toLimit(params.expeditedThreshold),
  votingPeriodSeconds: toSeconds(params.votingPeriod),
  expeditedVotingPeriodSeconds: toSeconds(params.expeditedVotingPeriod),
  maxDepositPeriodSeconds: toSeconds(params.maxDepositPeriod),
  minDeposit: toCoins(params.minDeposit),
  expeditedMinDeposit: toCoins(params.expeditedMinDeposit),
  burnVoteQuorum: params.burnVoteQuorum,
  burnVoteVeto: params.burnVoteVeto,
})

/** SDK 0.46 returns the parameters in three responses and has no burn parameters yet. */
export const readSplitParams = (parts: ParamsParts<QueryParamsResponse>): GovParams => {
  const { tallyParams } = parts.tally
  const depositParams = parts.deposit?.depositParams
  return {
    quorum: toLimit(tallyParams?.quorum),
    threshold: toLimit(tallyParams?.threshold),
    vetoThreshold: toLimit(tallyParams?.vetoThreshold),
    expeditedThreshold: null,
    votingPeriodSeconds: toSeconds(parts.voting?.votingParams?.votingPeriod),
    expeditedVotingPeriodSeconds: null,
    maxDepositPeriodSeconds: toSeconds(depositParams?.maxDepositPeriod),
    minDeposit: toCoins(depositParams?.minDeposit),
    expeditedMinDeposit: [],
    burnVoteQuorum: null,
    burnVoteVeto: null,
  }
}
