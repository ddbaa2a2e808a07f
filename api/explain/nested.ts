// Details of nested messages.
import { codeDetail, createDetail, type Detail, textDetail } from './details.ts'
import type { ExplainContext } from './explainer.ts'

const MAX_MESSAGES = 20

/** The summary, type and details of each message. Labels start with the number of the message. */
export const nestedDetails = (
  messages: readonly unknown[],
  { explainNested }: ExplainContext,
): Detail[] => {
  const details = messages.slice(0, MAX_MESSAGES).flatMap((message, n) => {
    const { title, summary, type, details: inner } = explainNested(message)
    const number = `Message ${n + 1}`
    return [
      textDetail(number, `${title}: ${summary}`),
      codeDetail(`${number} › type`, type),
      ...inner.map(({ label, value }) => createDetail(`${number} › ${label}`, value)),
    ]
  })
  const others = messages.length - MAX_MESSAGES
  return others > 0
    ? [...details, textDetail('More messages', `${others} more: see the JSON of the message`)]
    : details
}

export const countText = (messages: readonly unknown[]): string =>
  messages.length === 1 ? 'one message' : `${messages.length} messages`
