// Reads x/gov at a height through `cosmos.gov.v1`, or `v1beta1` if the node is older.
import type { ChainNode } from '../comet/node.ts'
import { toAtto } from '../contract/decimal.ts'
import type { GovParams, TallyCounts } from '../contract/facts.ts'
import { type Answer, isKnown, known, mapAnswer, unavailable, withoutFailure } from './answer.ts'
import * as v1 from './gov-v1.ts'
import * as v1beta1 from './gov-v1beta1.ts'
import type { ProposalContent } from './proposal-content.ts'
import { ask, askAll, isUnknownMethod } from './query.ts'

type Node = Pick<ChainNode, 'abciQuery'>

/** Some proposals contain contract code: small pages keep a response small. */
const PROPOSALS_PER_PAGE = 100
const VOTES_PER_PAGE = 1_000

/** Always v1 first: a node may be upgraded while Rollcall runs, and v1beta1 cannot return every proposal. */
const eitherEra = async <Value>(
  modern: () => Promise<Answer<Value>>,
  legacy: () => Promise<Answer<Value>>,
): Promise<Answer<Value>> => {
  const answer = await modern()
  return withoutFailure(isUnknownMethod(answer) ? await legacy() : answer)
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

export const proposalAt = (
  node: Node,
  proposalId: string,
  height: number,
): Promise<Answer<ProposalContent>> => {
  const request = { height, proposalId: BigInt(proposalId) }
  return eitherEra(
    async () =>
      readAnswer(await ask(node, v1.proposalMethod, request), ({ proposal }) =>
        proposal ? v1.readProposal(proposal) : undefined,
      ),
    async () =>
      readAnswer(await ask(node, v1beta1.proposalMethod, request), ({ proposal }) =>
        proposal ? v1beta1.readProposal(proposal) : undefined,
      ),
  )
}

/** All proposals, or those of one status (the chain's number: 1 deposit period, 2 voting period). */
export const proposalsAt = (
  node: Node,
  height: number,
  proposalStatus = 0,
): Promise<Answer<ProposalContent[]>> => {
  const request = { height, maxItems: PROPOSALS_PER_PAGE, proposalStatus }
  return eitherEra(
    async () =>
      readAnswer(await askAll(node, v1.proposalsMethod, request), (all) =>
        all.map(v1.readProposal),
      ),
    async () =>
      readAnswer(await askAll(node, v1beta1.proposalsMethod, request), (all) =>
        all.map(v1beta1.readProposal),
      ),
  )
}

const allOrNone = <Item>(items: readonly (Item | undefined)[]): Item[] | undefined => {
  const present = items.filter((item) => item !== undefined)
  return present.length === items.length ? present : undefined
}

export const votesAt = (
  node: Node,
  proposalId: string,
  height: number,
): Promise<Answer<v1.StateVote[]>> => {
  const request = { height, maxItems: VOTES_PER_PAGE, proposalId: BigInt(proposalId) }
  return eitherEra(
    async () =>
      readAnswer(await askAll(node, v1.votesMethod, request), (votes) =>
        allOrNone(votes.map(v1.readVote)),
      ),
    async () =>
      readAnswer(await askAll(node, v1beta1.votesMethod, request), (votes) =>
        allOrNone(votes.map(v1beta1.readVote)),
      ),
  )
}

/** During the vote: the node's own count so far. After it: the final tally. */
export const tallyAt = (
  node: Node,
  proposalId: string,
  height: number,
): Promise<Answer<TallyCounts>> => {
  const request = { height, proposalId: BigInt(proposalId) }
  return eitherEra(
    async () =>
      readAnswer(
        await ask(node, v1.tallyMethod, request),
        ({ tally }) => tally && v1.tallyCounts(tally),
      ),
    async () =>
      readAnswer(
        await ask(node, v1beta1.tallyMethod, request),
        ({ tally }) => tally && v1beta1.tallyCounts(tally),
      ),
  )
}

const paramsParts = async <Response>(
  query: (paramsType: string) => Promise<Answer<Response>>,
  tally: Response,
): Promise<Answer<{ tally: Response; voting: Response; deposit: Response }>> => {
  const [voting, deposit] = await Promise.all([query('voting'), query('deposit')])
  if (!isKnown(voting)) return withoutFailure(voting)
  if (!isKnown(deposit)) return withoutFailure(deposit)
  return known({ tally, voting: voting.value, deposit: deposit.value })
}

/** A fork may store its rules elsewhere: then they are unknown. */
const present = (answer: Answer<GovParams | undefined>): Answer<GovParams> => {
  if (!isKnown(answer)) return answer
  const { value } = answer
  const rates = value ? [value.quorum, value.threshold, value.vetoThreshold] : ['']
  const isWhole = rates.every((rate) => toAtto(rate) !== undefined)
  return value && isWhole
    ? known(value)
    : unavailable('the response of the node lacks the quorum or a threshold')
}

export const govParamsAt = async (node: Node, height: number): Promise<Answer<GovParams>> => {
  const modern = (paramsType: string) => ask(node, v1.paramsMethod, { height, paramsType })
  const first = await modern('tallying')
  if (isKnown(first)) {
    // SDK 0.47 and later: one query returns all parameters.
    if (first.value.params) return present(known(v1.readParams(first.value.params)))
    return present(mapAnswer(await paramsParts(modern, first.value), v1.readSplitParams))
  }
  if (!isUnknownMethod(first)) return withoutFailure(first)
  const legacy = (paramsType: string) => ask(node, v1beta1.paramsMethod, { height, paramsType })
  const tally = await legacy('tallying')
  if (!isKnown(tally)) return withoutFailure(tally)
  return present(mapAnswer(await paramsParts(legacy, tally.value), v1beta1.readParams))
}
