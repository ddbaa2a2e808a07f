// What may stand in the body of a POST to the MCP server: JSON-RPC 2.0, one message, or several in the one revision that had batches.
import { MCP_PROTOCOL_VERSIONS } from './identity.ts'
import { McpRefusal, RPC } from './refusal.ts'

/** The last revision with batches; also what a client without a version header is taken to speak. */
const WITH_BATCHES = '2025-03-26'
const MAX_BATCH = 20

const invalid = (message: string): McpRefusal => new McpRefusal(RPC.invalidRequest, message)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isId = (id: unknown): boolean => typeof id === 'string' || Number.isSafeInteger(id)

const checkMessage = (message: unknown): void => {
  if (!isObject(message)) throw invalid('A message must be an object.')
  if (message['jsonrpc'] !== '2.0') throw invalid('jsonrpc must be "2.0".')
  if ('id' in message && !isId(message['id'])) throw invalid('id must be a string or an integer.')
  if ('result' in message || 'error' in message) return
  if (typeof message['method'] !== 'string') throw invalid('method must be a string.')
  if ('params' in message && !isObject(message['params']))
    throw invalid('params must be an object.')
}

/** The parsed body and how many messages are in it. Throws `McpRefusal`. */
export const readMessages = (
  text: string,
  version: string | undefined,
): { body: object | object[]; count: number } => {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw new McpRefusal(RPC.parseError, 'The body is not JSON.')
  }
  const messages = Array.isArray(body) ? body : [body]
  if (Array.isArray(body)) {
    if ((version ?? WITH_BATCHES) !== WITH_BATCHES) {
      throw invalid(`Revision ${version} has no batches: send one message.`)
    }
    if (messages.length === 0) throw invalid('A batch must not be empty.')
    if (messages.length > MAX_BATCH) throw invalid(`A batch has at most ${MAX_BATCH} messages.`)
  }
  for (const message of messages) checkMessage(message)
  const ids = (messages as { id?: unknown }[]).flatMap(({ id }) => (id === undefined ? [] : [id]))
  if (new Set(ids).size < ids.length)
    throw invalid('Every message of a batch needs an id of its own.')
  return { body: body as object | object[], count: messages.length }
}

/** Throws `McpRefusal` for a revision that is not spoken here. */
export const checkVersion = (version: string | undefined): void => {
  if (version === undefined || MCP_PROTOCOL_VERSIONS.some((known) => known === version)) return
  const there = MCP_PROTOCOL_VERSIONS.join(', ')
  throw new McpRefusal(
    RPC.refused,
    `MCP-Protocol-Version ${JSON.stringify(version.slice(0, 32))} is not supported; there are ${there}.`,
    { supported: MCP_PROTOCOL_VERSIONS },
  )
}
