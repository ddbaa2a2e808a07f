// Reads the state of x/gov through `cosmos.gov.v1` (SDK 0.46 and later) and decodes it into facts.
import type { Params, Proposal, Vote } from 'cosmjs-types/cosmos/gov/v1/gov'
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
import type { GovParams, TallyCounts, WeightedOption } from '../contract/facts.ts'
import { executedLegacyText } from './legacy-text.ts'
import {
  type ProposalContent,
  readMessageTypes,
  statusName,
  toFinalTally,
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
  response: QueryParamsResponse,
}

type Tally = { yesCount: string; abstainCount: string; noCount: string; noWithVetoCount: string }

export const tallyCounts = (tally: Tally): TallyCounts => ({
  yes: tally.yesCount,
  abstain: tally.abstainCount,
  no: tally.noCount,
  noWithVeto: tally.noWithVetoCount,
})

export const readProposal = (proposal: Proposal): ProposalContent => {
  const { messages } = proposal
  const status = statusName(proposal.status)
  const text =
    proposal.title === '' && proposal.summary === ''
      ? executedLegacyText(messages)
      : { title: proposal.title, summary: proposal.summary }
  return {
    proposal: {
      proposalId: proposal.id.toString(),
      ...text,
      metadata: proposal.metadata,
      proposer: proposal.proposer || null,
      messageTypes: readMessageTypes(messages),
      status,
      expedited: proposal.expedited,
      failedReason: proposal.failedReason || null,
      submitTime: rfc3339(proposal.submitTime),
      depositEndTime: rfc3339(proposal.depositEndTime),
      votingStartTime: rfc3339(proposal.votingStartTime),
      votingEndTime: rfc3339(proposal.votingEndTime),
      totalDeposit: proposal.totalDeposit.map(({ denom, amount }) => ({ denom, amount })),
      finalTally: toFinalTally(
        proposal.finalTallyResult && tallyCounts(proposal.finalTallyResult),
        status,
      ),
    },
    messages,
  }
}

export type StateVote = { voter: string; options: WeightedOption[] }

/** Undefined if a weight cannot be decoded. */
export const readVote = ({ voter, options }: Vote): StateVote | undefined => {
  const weighted = weightedOptions(options)
  return weighted && { voter, options: weighted }
}

export const readParams = (params: Params): GovParams => ({
  quorum: params.quorum,
  threshold: params.threshold,
  vetoThreshold: params.vetoThreshold,
  expeditedThreshold: params.expeditedThreshold || null,
  votingPeriodSeconds: toSeconds(params.votingPeriod),
  expeditedVotingPeriodSeconds: toSeconds(params.expeditedVotingPeriod),
  maxDepositPeriodSeconds: toSeconds(params.maxDepositPeriod),
  minDeposit: params.minDeposit.map(({ denom, amount }) => ({ denom, amount })),
  expeditedMinDeposit: params.expeditedMinDeposit.map(({ denom, amount }) => ({ denom, amount })),
  burnVoteQuorum: params.burnVoteQuorum,
  burnVoteVeto: params.burnVoteVeto,
})

/** SDK 0.46 returns the parameters in three responses and has no burn parameters yet. */
export const readSplitParams = (parts: {
  tally: QueryParamsResponse
  voting: QueryParamsResponse
  deposit: QueryParamsResponse
}): GovParams | undefined => {
  const { tallyParams } = parts.tally
  if (!tallyParams) return undefined
  const { depositParams } = parts.deposit
  return {
    quorum: tallyParams.quorum,
    threshold: tallyParams.threshold,
    vetoThreshold: tallyParams.vetoThreshold,
    expeditedThreshold: null,
    votingPeriodSeconds: toSeconds(parts.voting.votingParams?.votingPeriod),
    expeditedVotingPeriodSeconds: null,
    maxDepositPeriodSeconds: toSeconds(depositParams?.maxDepositPeriod),
    minDeposit: (depositParams?.minDeposit ?? []).map(({ denom, amount }) => ({ denom, amount })),
    expeditedMinDeposit: [],
    burnVoteQuorum: null,
    burnVoteVeto: null,
  }
}
