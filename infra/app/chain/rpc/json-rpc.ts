// JSON-RPC as CometBFT speaks it: single requests, batches, and arguments by name or in order.
import { METHOD_ARGUMENTS } from './methods.ts'
import { invalidParams, type Responder, type RpcCall, RpcFault, toResponseText } from './reply.ts'

export type JsonRpcRequest = { id?: unknown; method?: unknown; params?: unknown }

/** The limits of a node: `max_request_batch_size` and `max_body_bytes`. */
export const MAX_BATCH = 10
export const MAX_BODY_BYTES = 1_000_000

const toNamed = (method: string, params: unknown): RpcCall['params'] => {
  if (params === undefined || params === null) return {}
  if (!Array.isArray(params)) return params as RpcCall['params']
  const args = METHOD_ARGUMENTS.get(method) ?? []
  if (params.length > args.length) {
    throw invalidParams(`expected ${args.length} parameters, got ${params.length}`)
  }
  return Object.fromEntries(params.map((value, index) => [args[index] ?? '', value]))
}

/** The text of the response: empty for a notification, which has no id. Other errors than those of the RPC are thrown. */
export const answerRequest = async (
  { id, method: name, params }: JsonRpcRequest,
  respond: Responder,
): Promise<string> => {
  if (id === undefined || id === null) return ''
  const method = String(name)
  try {
    const isKnown = METHOD_ARGUMENTS.has(method)
    const named = isKnown || !Array.isArray(params) ? toNamed(method, params) : {}
    return toResponseText(id, await respond({ id, method, params: named }))
  } catch (error) {
    if (error instanceof RpcFault) return toResponseText(id, { error })
    throw error
  }
}

const describe = (error: unknown): string => (error instanceof Error ? error.message : `${error}`)

/** The body of a POST request. */
export const answerBody = async (
  body: string,
  respond: Responder,
): Promise<{ status: number; text: string }> => {
  let parsed: JsonRpcRequest | JsonRpcRequest[]
  try {
    parsed = JSON.parse(body)
  } catch (thrown) {
    const reason = `error unmarshaling request: ${describe(thrown)}`
    const error = new RpcFault(-32700, 'Parse error. Invalid JSON', reason)
    return { status: 500, text: toResponseText(undefined, { error }) }
  }
  if (!Array.isArray(parsed)) return { status: 200, text: await answerRequest(parsed, respond) }
  if (parsed.length > MAX_BATCH) {
    const reason = `too many requests: max_request_batch_size ${MAX_BATCH}`
    const error = new RpcFault(-32600, 'Invalid Request', reason)
    return { status: 500, text: toResponseText(undefined, { error }) }
  }
  const texts: string[] = []
  for (const each of parsed) texts.push(await answerRequest(each, respond))
  const written = texts.filter((text) => text !== '')
  return { status: 200, text: written.length > 0 ? `[${written.join(',')}]` : '' }
}
