// The RPC over HTTP as in CometBFT: POST, and GET with the arguments in the URI.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { answerBody, MAX_BODY_BYTES } from './json-rpc.ts'
import { METHOD_ARGUMENTS } from './methods.ts'
import { invalidParams, type Responder, type RpcCall, toResponseText } from './reply.ts'

export type HttpAnswer = { status: number; text: string; type?: string }

/** The id of a call by URI, which has none. */
const URI_ID = -1

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

/** Texts are quoted in a URI, bytes are `0x…` or quoted text, numbers may be bare. */
const readUriParams = (url: URL, args: readonly string[]): RpcCall['params'] => {
  const params: Record<string, unknown> = {}
  for (const name of args) {
    const raw = url.searchParams.get(name)
    if (raw === null) continue
    const text = raw.replace(/^"(.*)"$/s, '$1')
    if (name !== 'data') params[name] = text
    else if (/^0x/i.test(raw)) params[name] = raw.slice(2)
    else params[name] = Buffer.from(text).toString('hex')
  }
  return params
}

const answerUri = async (url: URL, respond: Responder): Promise<HttpAnswer | undefined> => {
  const method = url.pathname.slice(1)
  const args = METHOD_ARGUMENTS.get(method)
  if (!args) return undefined
  const reply = await respond({ id: URI_ID, method, params: readUriParams(url, args) })
  if (!('error' in reply)) return { status: 200, text: toResponseText(URI_ID, reply) }
  const { error } = reply
  const known = error.code === -32602 ? invalidParams(String(error.data)) : error
  return { status: 500, text: toResponseText(URI_ID, { error: known }) }
}

const listEndpoints = (): string => {
  const lines = [...METHOD_ARGUMENTS].map(([name, args]) => {
    const query = args.map((arg) => `${arg}=_`).join('&amp;')
    return `<a href="/${name}?${query}">/${name}?${query}</a><br>`
  })
  return `<html><body><br>Available endpoints:<br><br>${lines.join('')}</body></html>`
}

export const answerHttp = async (
  request: IncomingMessage,
  respond: Responder,
): Promise<HttpAnswer> => {
  if (request.method === 'POST') {
    const body = await readBody(request, MAX_BODY_BYTES)
    if (body !== undefined) return await answerBody(body, respond)
    return { status: 413, text: 'http: request body too large\n', type: 'text/plain' }
  }
  const url = new URL(request.url ?? '/', 'http://node')
  if (url.pathname === '/') return { status: 200, text: listEndpoints(), type: 'text/html' }
  const answer = await answerUri(url, respond)
  return answer ?? { status: 404, text: '404 page not found\n', type: 'text/plain; charset=utf-8' }
}

export const sendAnswer = (
  response: ServerResponse,
  { status, text, type = 'application/json' }: HttpAnswer,
): void => {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) })
  response.end(text)
}
