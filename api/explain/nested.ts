// Details of nested messages.
import { cut } from './cut.ts'
import { codeDetail, type Detail, textDetail } from './details.ts'
import type { ExplainContext } from './explainer.ts'

const MAX_MESSAGES = 20
const MAX_LABEL = 200

/** The summary, type and details of each message. Labels start with the number of the message. */
export const nestedDetails = (
  messages: readonly unknown[],
  { explainNested }: ExplainContext,
): Detail[] => {
  const details = messages.slice(0, MAX_MESSAGES).flatMap((message, n) => {
    const { title, summary, type, details: inner } = explainNested(message)
    const number = `Message ${n + 1}`
    const labelled = inner.map(({ label, value }) => ({
      label: cut(`${number} › ${label}`, MAX_LABEL),
      value,
    }))
    return [
      textDetail(number, `${title}: ${summary}`),
      codeDetail(`${number} › type`, type),
      ...labelled,
    ]
  })
  const others = messages.length - MAX_MESSAGES
  return others > 0
    ? [...details, textDetail('More messages', `${others} more: see the JSON of the message`)]
    : details
}

export const countText = (messages: readonly unknown[]): string =>
  messages.length === 1 ? 'one message' : `${messages.length} messages`
