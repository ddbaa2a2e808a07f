// The last tally of a node during a vote, compared with our own: which of both is served, and where the rule was proved.
import type { TallyCounts } from '../../ingest/contract/facts.ts'
import type { TallyRule } from '../../ingest/contract/tally-rule.ts'

export type NodeTally = {
  rule: TallyRule
  /** Of its state. */
  height: number
  /** Null if the node could not return it. */
  counts: TallyCounts | null
  /** True if our own tally was the same; null if one of both was not known. */
  agrees: boolean | null
  /** The last height at which both were the same by this rule; null if there is none. */
  provedAt: number | null
}

/** Whether our own numbers are known to be wrong: then no power of a pool is known. */
export const isRefuted = (node: NodeTally | undefined): boolean => node?.agrees === false

/** The node's tally in place of our own. One that was the same as ours is older than the facts that ours lacks now. */
export const findReported = (node: NodeTally | undefined): TallyCounts | null =>
  node === undefined || node.agrees ? null : node.counts
