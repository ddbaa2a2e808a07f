// Explains one message, with the changes and the display unit that a test defines.
import { createMessageExplainer, type ExplainedProposal } from '../../../api/explain/explain.ts'
import type { Explanation } from '../../../api/schemas/explanation.ts'

export const explain = (message: unknown, given: Partial<ExplainedProposal> = {}): Explanation => {
  const nothing = { changes: [], changesReason: null, displayUnit: undefined }
  return createMessageExplainer({ ...nothing, ...given })(message, 0)
}

/** `label: text` of each detail. */
export const lines = ({ details }: Explanation): string[] =>
  details.map(({ label, value }) => `${label}: ${value.text}`)
