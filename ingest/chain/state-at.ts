// The chain's state at one height, each thing asked for once. What is gone says so; an outage is waited out.
import type { ChainNode } from '../comet/node.ts'
import type { Delegation, GovParams, PoolState, TallyCounts } from '../contract/facts.ts'
import { type Answer, unavailable } from './answer.ts'
import { govParamsAt, proposalAt, tallyAt, votesAt } from './gov.ts'
import type { StateVote } from './gov-v1.ts'
import type { ProposalContent } from './proposal-content.ts'
import { bondedTokensAt, delegationsAt, maxPoolsAt, poolsAt } from './staking.ts'

export type StateAt = {
  height: number
  proposal(proposalId: string): Promise<Answer<ProposalContent>>
  tally(proposalId: string): Promise<Answer<TallyCounts>>
  /** Only while the vote is held: the chain deletes them with the tally. */
  votes(proposalId: string): Promise<Answer<StateVote[]>>
  delegations(voter: string): Promise<Answer<Delegation[]>>
  pools(): Promise<Answer<PoolState[]>>
  params(): Promise<Answer<GovParams>>
  bondedTokens(): Promise<Answer<string>>
  /** How many pools may be bonded at most. */
  maxPools(): Promise<Answer<number>>
}

export const createStateAt = (node: Pick<ChainNode, 'abciQuery'>, height: number): StateAt => {
  const answers = new Map<string, Promise<Answer<unknown>>>()
  const once = <Value>(key: string, ask: () => Promise<Answer<Value>>): Promise<Answer<Value>> => {
    // Height 0 would mean "latest" to a node.
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
    bondedTokens: () => once('bonded', () => bondedTokensAt(node, height)),
    maxPools: () => once('maxPools', () => maxPoolsAt(node, height)),
  }
}
