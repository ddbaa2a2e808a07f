// What a rule of a chain changes in the state that its tallies count. The rest of ingest knows no rule by its name.
import type { Answer } from '../chain/answer.ts'
import type { AbciEvent, Block } from '../comet/block.ts'
import type { ChainNode } from '../comet/node.ts'
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

/** The voters with a ballot on an open proposal, and the stake that the log has of them. */
export type KnownVoters = {
  /** By address. */
  all(): string[]
  /** Those with a known entry that matches, by address. */
  withStake(matches: (delegation: Delegation, voter: string) => boolean): string[]
}

/** A rule that some chains have. */
export type RuleModule = {
  name: TallyRule
  /** Asks the chain at the height; undefined if the chain does not have the rule. */
  find(node: RuleNode, height: number): Promise<Answer<AppliedRule | undefined>>
  /** What else `listChangedVoters` reads of a block, beside the events of x/staking and x/gov. All others are dropped. */
  readsEvent?(event: Pick<AbciEvent, 'type' | 'attributes'>): boolean
  /**
   * Voters whose `stakeOf` may be another after the block: a superset. Called in order for each block after one with an open
   * proposal, with `voters` as of the block before. Their stake is read at the height of the block, and reported if it differs.
   * Voters in an event of x/staking are read anyway. An epoch of the chain may name all voters.
   */
  listChangedVoters?(block: Block, voters: KnownVoters): Iterable<string>
}
