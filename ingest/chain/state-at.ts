// Reads the state of the chain at one height, each value once. Missing state gives a reason; an outage is retried.
import type { ChainNode } from '../comet/node.ts'
import type { Delegation, GovParams, PoolState, TallyCounts } from '../contract/facts.ts'
import { type Answer, unavailable } from './answer.ts'
import { proposalAt, tallyAt, votesAt } from './gov.ts'
import { computesQuorumAt, govParamsAt } from './gov-params.ts'
import type { StateVote } from './gov-v1.ts'
import type { ProposalContent } from './proposal-content.ts'
import { bondedTokensAt, delegationsAt, maxPoolsAt, poolsAt } from './staking.ts'

export type StateAt = {
  height: number
  proposal(proposalId: string): Promise<Answer<ProposalContent>>
  tally(proposalId: string): Promise<Answer<TallyCounts>>
  /** Only during the vote: the chain deletes them with the tally. */
  votes(proposalId: string): Promise<Answer<StateVote[]>>
  delegations(voter: string): Promise<Answer<Delegation[]>>
  pools(): Promise<Answer<PoolState[]>>
  params(): Promise<Answer<GovParams>>
  computesQuorum(): Promise<Answer<boolean>>
  bondedTokens(): Promise<Answer<string>>
  /** Maximum number of bonded pools. */
  maxPools(): Promise<Answer<number>>
}

export const createStateAt = (
  node: Pick<ChainNode, 'abciQuery' | 'refuse'>,
  height: number,
): StateAt => {
  const answers = new Map<string, Promise<Answer<unknown>>>()
  const once = <Value>(key: string, ask: () => Promise<Answer<Value>>): Promise<Answer<Value>> => {
    // A node reads height 0 as "latest".
    if (height < 1) return Promise.resolve(unavailable('there is no state before the first block'))
    const answer = answers.get(key) ?? ask()
    answers.set(key, answer)
    return answer as Promise<Answer<Value>>
  }
  return {
    height,
    proposal: (id) => once(`proposal/${id}`, () => proposalAt(node, id, height)),
    tally: (id) => once(`tally/${id}`, () => tallyAt(node, id, height)),
    votes: (id) => once(`votes/${id}`, () => votesAt(node, id, height)),
    delegations: (voter) => once(`delegations/${voter}`, () => delegationsAt(node, voter, height)),
    pools: () => once('pools', () => poolsAt(node, height)),
    params: () => once('params', () => govParamsAt(node, height)),
    computesQuorum: () => once('computesQuorum', () => computesQuorumAt(node, height)),
    bondedTokens: () => once('bonded', () => bondedTokensAt(node, height)),
    maxPools: () => once('maxPools', () => maxPoolsAt(node, height)),
  }
}
