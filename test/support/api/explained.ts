// Explains one message, with the changes and the display unit that a test defines.
import { createMessageExplainer, type ExplainedProposal } from '../../../api/explain/explain.ts'
import type { Explanation } from '../../../api/schemas/explanation.ts'

type Given = Partial<ExplainedProposal>

export const explainAll = (messages: readonly unknown[], given: Given = {}): Explanation[] => {
  const explainOne = createMessageExplainer({
    changes: [],
    changesReason: null,
    displayUnit: undefined,
    ...given,
  })
  return messages.map(explainOne)
}

export const explain = (message: unknown, given: Given = {}): Explanation => {
  const [explanation] = explainAll([message], given)
  if (!explanation) throw new Error('a message without an explanation')
  return explanation
}

/** `label: text` of each detail. */
export const lines = ({ details }: Explanation): string[] =>
  details.map(({ label, value }) => `${label}: ${value.text}`)

/** The same text with spaces in place of the narrow ones between groups of digits. */
export const plain = (text: string): string => text.replaceAll('\u202f', ' ')
