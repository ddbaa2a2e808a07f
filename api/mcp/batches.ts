// Limits and checks of JSON-RPC batches that the SDK does not have. Only one revision of the protocol has batches.
import { invalidRequest } from './refusal.ts'

/** The only revision with batches, and the one of a client that sends no version. */
const WITH_BATCHES = '2025-03-26'
const MAX_BATCH = 20

const collectIds = (messages: readonly unknown[]): unknown[] =>
  messages
    .map((message) => (message as { id?: unknown } | null)?.id)
    .filter((id) => id !== undefined)

/** The number of messages in a parsed body. Throws `McpRefusal`. */
export const countMessages = (body: unknown, version: string = WITH_BATCHES): number => {
  if (!Array.isArray(body)) return 1
  if (version !== WITH_BATCHES) {
    throw invalidRequest(
      `Revision ${version.slice(0, 32)} has no batches: send one message per request.`,
    )
  }
  if (body.length > MAX_BATCH) {
    throw invalidRequest(`A batch has at most ${MAX_BATCH} messages.`)
  }
  const ids = collectIds(body)
  if (new Set(ids).size < ids.length) {
    throw invalidRequest('Each message of a batch must have a different id.')
  }
  return body.length
}
