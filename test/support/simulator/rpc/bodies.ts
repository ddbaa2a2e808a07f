// Reads requests and sends answers of JSON-RPC as CometBFT does: single calls and batches in POST requests.
import type { ServerResponse } from 'node:http'
import { type Responder, type RpcCall, RpcFault, toResponseText } from './reply.ts'

export type HttpAnswer = { status: number; text: string; type?: string }

/** Undefined if the body is larger than `maxBytes`. */
export const readBody = async (
  request: AsyncIterable<Buffer>,
  maxBytes: number,
): Promise<string | undefined> => {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request) {
    size += part.length
    if (size > maxBytes) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

export const sendAnswer = (
  response: ServerResponse,
  { status, text, type = 'application/json' }: HttpAnswer,
): void => {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) })
  response.end(text)
}

/** Ends the connection in the middle of the body. */
export const sendHalf = (response: ServerResponse, { text }: HttpAnswer): void => {
  response.writeHead(200, { 'content-length': Buffer.byteLength(text) })
  response.write(text.slice(0, text.length / 2), () => response.destroy())
}

/** The limits of a node: `max_request_batch_size` and `max_body_bytes`. */
const MAX_BATCH = 10
export const MAX_BODY_BYTES = 1_000_000

export const answerText = async (call: RpcCall, respond: Responder): Promise<string> =>
  toResponseText(call.id, await respond(call))

/** The body of a POST request. */
export const answerBody = async (body: string, respond: Responder): Promise<HttpAnswer> => {
  const calls = JSON.parse(body) as RpcCall | RpcCall[]
  if (!Array.isArray(calls)) return { status: 200, text: await answerText(calls, respond) }
  if (calls.length > MAX_BATCH) {
    const reason = `too many requests: max_request_batch_size ${MAX_BATCH}`
    const error = new RpcFault(-32600, 'Invalid Request', reason)
    return { status: 500, text: toResponseText(undefined, { error }) }
  }
  const texts: string[] = []
  for (const call of calls) texts.push(await answerText(call, respond))
  return { status: 200, text: `[${texts.join(',')}]` }
}
