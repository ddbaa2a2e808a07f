// The chain state observed at the submission of a proposal, which explanations use.
import type { ContextObservation } from '../../projections/contract/proposal-json.ts'

/** The response to one query, at its height. `response` is null if the node could not answer. */
export type Observation = ContextObservation

export type ProposalContext = {
  /** One for each query and request. */
  observations: readonly Observation[]
  /** A block before the submission, to estimate the block time. */
  earlierBlock: { height: number; time: string } | null
}

const NOTHING_OBSERVED: ProposalContext = { observations: [], earlierBlock: null }

/** `text` is the column `context` of a proposal. Earlier versions left it empty. */
export const readContext = (text: string): ProposalContext =>
  text === '' ? NOTHING_OBSERVED : JSON.parse(text)
