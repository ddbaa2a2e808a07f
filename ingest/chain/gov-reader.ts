// Asks x/gov through the queries of one version, and reads the facts in the responses. Requests are the same in every version.
import type { Proposal, TallyResult, Vote } from 'cosmjs-types/cosmos/gov/v1/gov'
import {
  QueryProposalRequest,
  QueryProposalsRequest,
  QueryTallyResultRequest,
  QueryVotesRequest,
} from 'cosmjs-types/cosmos/gov/v1/query'
import type { ChainNode } from '../comet/endpoints/node.ts'
import { canonicalAddress } from '../contract/address.ts'
import type { TallyCounts, WeightedOption } from '../contract/facts.ts'
import { type Answer, isKnown, known, unavailable } from './answer.ts'
import { type GovCodec, govPath, legacyCodec, modernCodec } from './gov-codecs.ts'
import { storedProposalAt } from './gov-store.ts'
import {
  type ProposalContent,
  proposalText,
  readMessageTypes,
  statusName,
  toCoins,
  toFinalTally,
  toTallyCounts,
  weightedOptions,
} from './proposal-content.ts'
import { ask, askAll, isUnknownMethod } from './query.ts'
import { rfc3339 } from './time.ts'

export type GovNode = Pick<ChainNode, 'abciQuery' | 'refuse'>
export type ProposalRequest = { proposalId: string; height: number }
export type StateVote = { voter: string; options: WeightedOption[] }

/** Some proposals contain contract code: small pages keep a response small. */
const PROPOSALS_PER_PAGE = 100
const VOTES_PER_PAGE = 1_000

const readTally = (tally: TallyResult): TallyCounts | undefined =>
  toTallyCounts({
    yes: tally.yesCount,
    abstain: tally.abstainCount,
    no: tally.noCount,
    noWithVeto: tally.noWithVetoCount,
  })

const readProposal = (proposal: Proposal): ProposalContent => {
  const { messages, finalTallyResult } = proposal
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
      finalTally: toFinalTally(finalTallyResult && readTally(finalTallyResult), status),
    },
    messages,
  }
}

/** Undefined if a weight cannot be decoded. */
const readVote = ({ voter, options }: Vote): StateVote | undefined => {
  const weighted = weightedOptions(options)
  return weighted && { voter: canonicalAddress(voter), options: weighted }
}

const readAnswer = <From, To>(
  answer: Answer<From>,
  read: (value: From) => To | undefined,
): Answer<To> => {
  if (!isKnown(answer)) return answer
  const value = read(answer.value)
  return value === undefined
    ? unavailable('the response of the node lacks the requested value')
    : known(value)
}

/** The node has the method and refuses the answer, for example because a type is not registered any more. */
const isRefused = (answer: Answer<unknown>): boolean =>
  !isKnown(answer) && answer.failure?.kind === 'refused' && !isUnknownMethod(answer)

/** If the node refuses a proposal, the same from its raw store. The reason of the refusal remains. */
const orStored = async (
  node: GovNode,
  { proposalId, height }: ProposalRequest,
  { answer, stored }: { answer: Answer<ProposalContent>; stored: GovCodec['stored'] },
): Promise<Answer<ProposalContent>> => {
  if (!isRefused(answer)) return answer
  const bytes = await storedProposalAt(node, proposalId, height)
  try {
    const content = bytes && readProposal(stored.decode(bytes))
    return content?.proposal.proposalId === proposalId ? known(content) : answer
  } catch {
    return answer
  }
}

const allOrNone = <Item>(items: readonly (Item | undefined)[]): Item[] | undefined => {
  const present = items.filter((item) => item !== undefined)
  return present.length === items.length ? present : undefined
}

const createMethods = ({ version, proposal, proposals, votes, tally }: GovCodec) => {
  const path = (method: string) => govPath(version, method)
  return {
    proposal: { path: path('Proposal'), request: QueryProposalRequest, response: proposal },
    proposals: {
      path: path('Proposals'),
      request: QueryProposalsRequest,
      response: proposals,
      items: (page: ReturnType<typeof proposals.decode>) => page.proposals,
    },
    votes: {
      path: path('Votes'),
      request: QueryVotesRequest,
      response: votes,
      items: (page: ReturnType<typeof votes.decode>) => page.votes,
    },
    tally: { path: path('TallyResult'), request: QueryTallyResultRequest, response: tally },
  }
}

const createGovReader = (codec: GovCodec) => {
  const methods = createMethods(codec)
  return {
    methods,
    proposal: async (node: GovNode, request: ProposalRequest) => {
      const partial = { height: request.height, proposalId: BigInt(request.proposalId) }
      const response = await ask(node, methods.proposal, partial)
      const answer = readAnswer(response, ({ proposal }) => proposal && readProposal(proposal))
      return orStored(node, request, { answer, stored: codec.stored })
    },
    proposals: async (node: GovNode, height: number, proposalStatus: number) => {
      const request = { height, maxItems: PROPOSALS_PER_PAGE, proposalStatus }
      const response = await askAll(node, methods.proposals, request)
      return readAnswer(response, (all) => all.map(readProposal))
    },
    votes: async (node: GovNode, { proposalId, height }: ProposalRequest) => {
      const request = { height, maxItems: VOTES_PER_PAGE, proposalId: BigInt(proposalId) }
      const response = await askAll(node, methods.votes, request)
      return readAnswer(response, (votes) => allOrNone(votes.map(readVote)))
    },
    tally: async (node: GovNode, { proposalId, height }: ProposalRequest) => {
      const response = await ask(node, methods.tally, { height, proposalId: BigInt(proposalId) })
      return readAnswer(response, ({ tally }) => tally && readTally(tally))
    },
  }
}

export const modernGov = createGovReader(modernCodec)
const legacyGov = createGovReader(legacyCodec)

/**
 * Always v1 first: a node may be upgraded while Rollcall runs, and v1beta1 cannot return every proposal. The
 * failure of the node remains in the answer.
 */
export const askEitherEra = async <Value>(
  askOne: (gov: typeof modernGov) => Promise<Answer<Value>>,
): Promise<Answer<Value>> => {
  const answer = await askOne(modernGov)
  return isUnknownMethod(answer) ? await askOne(legacyGov) : answer
}
