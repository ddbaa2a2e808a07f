// Reads the state of the chain at one height, each value once. Missing state gives a reason; an outage is retried.
import type { Delegation } from '../contract/delegation.ts'
import type { GovParams, PoolState, TallyCounts } from '../contract/facts.ts'
import { findCounted, sumCounted } from '../tally/counted-pools.ts'
import type { AppliedRule, RuleNode } from '../tally-rules/applied-rule.ts'
import type { FindRule } from '../tally-rules/find-rule.ts'
import { type Answer, isKnown, known, unavailable } from './answer.ts'
import type { StateVote } from './gov.ts'
import { proposalAt, tallyAt, votesAt } from './gov.ts'
import { computesQuorumAt, govParamsAt } from './gov-params.ts'
import type { ProposalContent } from './proposal-content.ts'
import {
  bondedTokensAt,
  delegationsAt,
  maxPoolsAt,
  poolsAt,
  takesCountedBaseAt,
} from './staking.ts'

export type StateAt = {
  height: number
  proposal(proposalId: string): Promise<Answer<ProposalContent>>
  tally(proposalId: string): Promise<Answer<TallyCounts>>
  /** Only during the vote: the chain deletes them with the tally. */
  votes(proposalId: string): Promise<Answer<StateVote[]>>
  /** The rule by which tallies count at this height. */
  rule(): Promise<Answer<AppliedRule>>
  /** The stake that the rule counts for a voter. */
  delegations(voter: string): Promise<Answer<Delegation[]>>
  /** The same, from the delegations in x/staking. */
  stakeOf(voter: string, delegations: Answer<Delegation[]>): Promise<Answer<Delegation[]>>
  pools(): Promise<Answer<PoolState[]>>
  params(): Promise<Answer<GovParams>>
  computesQuorum(): Promise<Answer<boolean>>
  /** The base of the quorum, in base units. */
  bondedTokens(): Promise<Answer<string>>
  /** Whether the base of the quorum is the sum of the pools that count, without a rule that limits them. */
  takesCountedBase(): Promise<Answer<boolean>>
  /** Maximum number of pools that count. */
  maxPools(): Promise<Answer<number>>
}

/** A node that may know the rules of its chain; without them they are those of x/gov. */
export type RuledNode = RuleNode & { findRule?: FindRule }

const PLAIN: AppliedRule = { name: 'gov' }

/** Marks the bonded pools that the rule does not count. */
const markCounted = (pools: PoolState[], { maxPools }: AppliedRule): PoolState[] => {
  if (maxPools === undefined) return pools
  const counted = findCounted(pools, maxPools)
  const isLeftOut = ({ operatorAddress, status, jailed }: PoolState) =>
    status === 'bonded' && !jailed && !counted.has(operatorAddress)
  return pools.map((pool) => (isLeftOut(pool) ? { ...pool, counted: false as const } : pool))
}

export const createStateAt = (node: RuledNode, height: number): StateAt => {
  const answers = new Map<string, Promise<Answer<unknown>>>()
  const once = <Value>(key: string, ask: () => Promise<Answer<Value>>): Promise<Answer<Value>> => {
    // A node reads height 0 as "latest".
    if (height < 1) return Promise.resolve(unavailable('there is no state before the first block'))
    const answer = answers.get(key) ?? ask()
    answers.set(key, answer)
    return answer as Promise<Answer<Value>>
  }
  const rule = () => once('rule', async () => node.findRule?.(height) ?? known(PLAIN))
  const staked = () => once('staked', () => poolsAt(node, height))
  const stakeOf: StateAt['stakeOf'] = async (voter, delegations) => {
    const applied = await rule()
    if (!isKnown(applied)) return applied
    if (!isKnown(delegations) || !applied.value.stakeOf) return delegations
    return await applied.value.stakeOf(voter, delegations.value, staked)
  }
  const pools = async (): Promise<Answer<PoolState[]>> => {
    const [all, applied] = await Promise.all([staked(), rule()])
    if (!isKnown(applied)) return applied
    return isKnown(all) ? known(markCounted(all.value, applied.value)) : all
  }
  const bondedTokens = async (): Promise<Answer<string>> => {
    const applied = await rule()
    if (!isKnown(applied)) return applied
    if (applied.value.maxPools === undefined) return await bondedTokensAt(node, height)
    const all = await staked()
    if (!isKnown(all)) return all
    return known(sumCounted(all.value, findCounted(all.value, applied.value.maxPools)))
  }
  const maxPools = async (): Promise<Answer<number>> => {
    const applied = await rule()
    if (!isKnown(applied)) return applied
    const limit = applied.value.maxPools
    return limit === undefined ? await maxPoolsAt(node, height) : known(limit)
  }
  return {
    height,
    proposal: (id) => once(`proposal/${id}`, () => proposalAt(node, id, height)),
    tally: (id) => once(`tally/${id}`, () => tallyAt(node, id, height)),
    votes: (id) => once(`votes/${id}`, () => votesAt(node, { proposalId: id, height })),
    rule,
    delegations: (voter) =>
      once(`delegations/${voter}`, async () =>
        stakeOf(voter, await delegationsAt(node, voter, height)),
      ),
    stakeOf,
    pools: () => once('pools', pools),
    params: () => once('params', () => govParamsAt(node, height)),
    computesQuorum: () => once('computesQuorum', () => computesQuorumAt(node, height)),
    bondedTokens: () => once('bonded', bondedTokens),
    takesCountedBase: () => once('takesCountedBase', () => takesCountedBaseAt(node, height)),
    maxPools: () => once('maxPools', maxPools),
  }
}
