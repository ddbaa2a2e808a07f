// The chain state observed at the submission of a proposal, which explanations use.
import type { ProposalContext } from '../../projections/contract/proposal-json.ts'

const NOTHING_OBSERVED: ProposalContext = { observations: [], earlierBlock: null }

/** `text` is the column `context` of a proposal. Earlier versions left it empty. */
export const readContext = (text: string): ProposalContext =>
  text === '' ? NOTHING_OBSERVED : JSON.parse(text)
