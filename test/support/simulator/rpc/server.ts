// The server of one node: JSON-RPC as CometBFT speaks it, in POST requests with single calls and batches, and websockets on the same port.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { listeningUrl } from '../../../../infra/base/runtime/ports.ts'
import { answerCall, METHOD_ARGUMENTS, type NodeView } from './methods.ts'
import { invalidParams, type Responder, type RpcCall, RpcFault, toResponseText } from './reply.ts'

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
export const answerBody = async (body: string, respond: Responder): Promise<HttpAnswer> => {
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

/** How one HTTP request is answered. */
export type Exchange = {
  respond: Responder
  send(response: ServerResponse, answer: HttpAnswer): void
}

export type NodeServerOptions = {
  view: NodeView
  /** 0, the default, selects a free port. */
  port?: number
  host?: string
  /** Called for each HTTP request. */
  openExchange?: () => Exchange
  /** Accepts or refuses an upgrade to a websocket. */
  upgrade(request: IncomingMessage, connection: Duplex, head: Buffer): void
}

export type NodeServer = {
  readonly url: string
  close(): Promise<void>
}

export const refuseUpgrade = (connection: Duplex): void => {
  // A client may be gone before it is refused.
  connection.on('error', () => {})
  connection.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n')
}

export const startNodeServer = async (options: NodeServerOptions): Promise<NodeServer> => {
  const { view, port = 0, host = '127.0.0.1', upgrade } = options
  const respond: Responder = (call) => answerCall(view, call)
  const { openExchange = () => ({ respond, send: sendAnswer }) } = options
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const { respond: answer, send } = openExchange()
    const body = await readBody(request, MAX_BODY_BYTES)
    if (body === undefined) response.writeHead(413).end()
    else send(response, await answerBody(body, answer))
  }
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined)
    })
  })
  server.on('upgrade', (request, connection, head) => {
    // Any path before it is that of a proxy.
    const isWebsocket = request.url?.endsWith('/websocket') === true
    if (isWebsocket) upgrade(request, connection, head)
    else refuseUpgrade(connection)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    url: listeningUrl(server) ?? '',
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
