// What a rule of a chain changes in the state that its tallies count. The rest of ingest knows no rule by its name.
import type { Answer } from '../chain/answer.ts'
import type { ChainNode } from '../comet/endpoints/node.ts'
import type { Delegation } from '../contract/delegation.ts'
import type { PoolState } from '../contract/facts.ts'
import type { TallyRule } from '../contract/tally-rule.ts'

export type RuleNode = Pick<ChainNode, 'abciQuery' | 'refuse'>

/** All pools at the height, read once. */
export type ReadPools = () => Promise<Answer<PoolState[]>>

/** A rule in force at one height. */
export type AppliedRule = {
  name: TallyRule
  /** At most so many pools count, and their sum is the base of the quorum. Absent: all that x/staking bonds. */
  maxPools?: number
  /** What the rule counts for a voter who has these delegations in x/staking. Absent: the delegations. */
  stakeOf?(
    voter: string,
    delegations: Delegation[],
    readPools: ReadPools,
  ): Promise<Answer<Delegation[]>>
}

/** A rule that some chains have. */
export type RuleModule = {
  name: TallyRule
  /** Asks the chain at the height; undefined if the chain does not have the rule. */
  find(node: RuleNode, height: number): Promise<Answer<AppliedRule | undefined>>
}
