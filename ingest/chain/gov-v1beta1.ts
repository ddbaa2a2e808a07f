// Reads the state of x/gov through `cosmos.gov.v1beta1` (SDK 0.45 and older) and decodes it into the same facts as v1.
import type { Proposal, Vote } from 'cosmjs-types/cosmos/gov/v1beta1/gov'
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
} from 'cosmjs-types/cosmos/gov/v1beta1/query'
import { toDecimal } from '../contract/decimal.ts'
import type { GovParams, TallyCounts } from '../contract/facts.ts'
import type { StateVote } from './gov-v1.ts'
import { legacyText } from './legacy-text.ts'
import {
  type ProposalContent,
  readMessageTypes,
  statusName,
  toFinalTally,
} from './proposal-content.ts'
import { rfc3339, toSeconds } from './time.ts'
import { weightedOptions } from './vote-option.ts'

const path = (method: string): string => `/cosmos.gov.v1beta1.Query/${method}`

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

export const tallyCounts = ({ yes, abstain, no, noWithVeto }: TallyCounts): TallyCounts => ({
  yes,
  abstain,
  no,
  noWithVeto,
})

export const readProposal = (proposal: Proposal): ProposalContent => {
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
      expedited: false,
      failedReason: null,
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

const WHOLE_WEIGHT = '1'

/** Before 0.43 a vote had one option and no weights. Weights here are integers of 1e-18. */
export const readVote = ({ voter, option, options }: Vote): StateVote | undefined => {
  const listed =
    options.length > 0
      ? options.map((each) => ({ option: each.option, weight: toDecimal(each.weight) ?? '' }))
      : [{ option, weight: WHOLE_WEIGHT }]
  const weighted = weightedOptions(listed)
  return weighted && { voter, options: weighted }
}

const rate = (bytes: Uint8Array): string | undefined =>
  toDecimal(Buffer.from(bytes).toString('utf8'))

export const readParams = (parts: {
  tally: QueryParamsResponse
  voting: QueryParamsResponse
  deposit: QueryParamsResponse
}): GovParams | undefined => {
  const { tallyParams } = parts.tally
  const quorum = tallyParams && rate(tallyParams.quorum)
  const threshold = tallyParams && rate(tallyParams.threshold)
  const vetoThreshold = tallyParams && rate(tallyParams.vetoThreshold)
  if (!quorum || !threshold || !vetoThreshold) return undefined
  const { depositParams } = parts.deposit
  return {
    quorum,
    threshold,
    vetoThreshold,
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
