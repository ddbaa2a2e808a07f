// JSON-RPC over HTTP as in CometBFT: POST, batches, and GET with the arguments in the URI.
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  callMethod,
  invalidParams,
  METHOD_ARGUMENTS,
  type ReplayedChain,
  RpcFault,
  toGoJson,
} from './rpc-methods.ts'

const MAX_BODY_BYTES = 1_000_000
const MAX_BATCH = 10
/** The id of a call by URI, which has none. */
const URI_ID = -1

export type JsonRpcRequest = { id?: unknown; method?: unknown; params?: unknown }

export function resultText(id: unknown, result: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`
}

export function faultText(id: unknown, fault: RpcFault): string {
  const { code, message, data } = fault
  const error = data === undefined ? { code, message } : { code, message, data }
  return toGoJson({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), error })
}

/** Any other error is a defect and is thrown again. */
export function answerRequest(request: JsonRpcRequest, chain: ReplayedChain): string {
  try {
    return resultText(request.id, callMethod(String(request.method), request.params, chain))
  } catch (error) {
    if (error instanceof RpcFault) return faultText(request.id, error)
    throw error
  }
}

function answerBody(body: string, chain: ReplayedChain): { status: number; text: string } {
  let parsed: JsonRpcRequest | JsonRpcRequest[]
  try {
    parsed = JSON.parse(body)
  } catch (error) {
    const reason = `error unmarshaling request: ${error instanceof Error ? error.message : error}`
    const fault = new RpcFault(-32700, 'Parse error. Invalid JSON', reason)
    return { status: 500, text: faultText(undefined, fault) }
  }
  if (!Array.isArray(parsed)) return { status: 200, text: answerRequest(parsed, chain) }
  if (parsed.length > MAX_BATCH) {
    const fault = new RpcFault(
      -32600,
      'Invalid Request',
      `too many requests: max_request_batch_size ${MAX_BATCH}`,
    )
    return { status: 500, text: faultText(undefined, fault) }
  }
  return { status: 200, text: `[${parsed.map((each) => answerRequest(each, chain)).join(',')}]` }
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size > MAX_BODY_BYTES) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** Texts are quoted in a URI, bytes are `0x…` or quoted text, numbers may be bare. */
function uriParams(url: URL, args: readonly string[]): Record<string, unknown> {
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

function answerUri(url: URL, chain: ReplayedChain): { status: number; text: string } | undefined {
  const method = url.pathname.slice(1)
  const args = METHOD_ARGUMENTS.get(method)
  if (!args) return undefined
  try {
    return {
      status: 200,
      text: resultText(URI_ID, callMethod(method, uriParams(url, args), chain)),
    }
  } catch (error) {
    if (!(error instanceof RpcFault)) throw error
    const known = error.code === -32602 ? invalidParams(String(error.data)) : error
    return { status: 500, text: faultText(URI_ID, known) }
  }
}

function send(response: ServerResponse, status: number, text: string, type = 'application/json') {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) })
  response.end(text)
}

function listEndpoints(): string {
  const lines = [...METHOD_ARGUMENTS].map(([name, args]) => {
    const query = args.map((arg) => `${arg}=_`).join('&amp;')
    return `<a href="/${name}?${query}">/${name}?${query}</a><br>`
  })
  return `<html><body><br>Available endpoints:<br><br>${lines.join('')}</body></html>`
}

export async function serveHttp(
  request: IncomingMessage,
  response: ServerResponse,
  chain: ReplayedChain,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://replay')
  if (request.method === 'POST') {
    const body = await readBody(request)
    if (body === undefined)
      return send(response, 413, 'http: request body too large\n', 'text/plain')
    const { status, text } = answerBody(body, chain)
    return send(response, status, text)
  }
  if (url.pathname === '/') return send(response, 200, listEndpoints(), 'text/html')
  const answer = answerUri(url, chain)
  if (!answer) return send(response, 404, '404 page not found\n', 'text/plain; charset=utf-8')
  return send(response, answer.status, answer.text)
}
