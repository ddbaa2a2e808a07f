// Reads x/gov at a height through `cosmos.gov.v1`, or `v1beta1` if the node is older.
import type { ChainNode } from '../comet/node.ts'
import { InvalidDecimal } from '../contract/decimal.ts'
import type { GovParams, TallyCounts } from '../contract/facts.ts'
import { type Answer, isKnown, known, unavailable, valueOrNull, withoutFailure } from './answer.ts'
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

/** A part that the node refuses is absent: the other parameters remain. */
const joinParts = async <Response>(
  tally: Response,
  query: (paramsType: string) => Promise<Answer<Response>>,
  read: (parts: v1.ParamsParts<Response>) => GovParams,
): Promise<Answer<GovParams>> => {
  const [voting, deposit] = await Promise.all([query('voting'), query('deposit')])
  for (const part of [voting, deposit]) {
    if (!isKnown(part) && part.failure?.kind !== 'refused') return withoutFailure(part)
  }
  const parts = { tally, voting: valueOrNull(voting), deposit: valueOrNull(deposit) }
  return present(() => read(parts))
}

/** A limit that the chain does not have is null. An invalid one makes all parameters unknown. */
const present = (read: () => GovParams): Answer<GovParams> => {
  try {
    const params = read()
    const { quorum, threshold, vetoThreshold, votingPeriodSeconds, minDeposit } = params
    const isEmpty =
      [quorum, threshold, vetoThreshold, votingPeriodSeconds].every((value) => value === null) &&
      minDeposit.length === 0
    return isEmpty ? unavailable('the response of the node has no parameters') : known(params)
  } catch (error) {
    if (!(error instanceof InvalidDecimal)) throw error
    return unavailable(`the response of the node has an invalid rate: ${error.message}`)
  }
}

export const govParamsAt = async (node: Node, height: number): Promise<Answer<GovParams>> => {
  const modern = (paramsType: string) => ask(node, v1.paramsMethod, { height, paramsType })
  const first = await modern('tallying')
  if (isKnown(first)) {
    const { params } = first.value
    // SDK 0.47 and later: one query returns all parameters.
    if (params) return present(() => v1.readParams(params))
    return await joinParts(first.value, modern, v1.readSplitParams)
  }
  if (!isUnknownMethod(first)) return withoutFailure(first)
  const legacy = (paramsType: string) => ask(node, v1beta1.paramsMethod, { height, paramsType })
  const tally = await legacy('tallying')
  if (!isKnown(tally)) return withoutFailure(tally)
  return await joinParts(tally.value, legacy, v1beta1.readParams)
}
