// What the chain's state said about the things that a proposal's messages touch: what explanations are made with.
import type { ContextObservation } from '../../projections/contract/proposal-json.ts'

/** The answer to one query, at its height; `response` is null where the node could not answer. */
export type Observation = ContextObservation

export type ProposalContext = {
  /** One for each query and request. */
  observations: readonly Observation[]
  /** A block before the submission, to estimate the block time with. */
  earlierBlock: { height: number; time: string } | null
}

const NOTHING_OBSERVED: ProposalContext = { observations: [], earlierBlock: null }

/** `text` is the column `context` of a proposal, which an earlier version left empty. */
export const readContext = (text: string): ProposalContext =>
  text === '' ? NOTHING_OBSERVED : JSON.parse(text)
