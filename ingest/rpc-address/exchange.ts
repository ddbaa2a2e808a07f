// One HTTP request to an address of any kind, with everything that says what answers there: status, headers, the first bytes.
// For diagnosis only: the reads of ingest go through `comet/rpc.ts`.
import http from 'node:http'
import https from 'node:https'
import { abortedError, onAbort } from '../../infra/base/runtime/abort.ts'
import { type Headers, USER_AGENT } from '../comet/transport/http-post.ts'

export type HttpResponse = {
  kind: 'response'
  status: number
  headers: http.IncomingHttpHeaders
  /** The first 64 KiB. */
  body: Buffer
}

export type Exchange =
  | HttpResponse
  /** `code` is that of Node, such as `ECONNREFUSED`. `firstBytes`: what came instead of HTTP. */
  | { kind: 'failed'; code: string; message: string; firstBytes?: Buffer }

export type ExchangeOptions = {
  signal: AbortSignal
  timeoutMs?: number
  /** Of the settings, such as a key. */
  headers?: Headers | undefined
  /** The method and its parameters; by default `status`, which every node has. */
  call?: { method: string; params: Record<string, string> }
}

const TIMEOUT_MS = 5_000
const MAX_BODY_BYTES = 64 * 2 ** 10
export const NO_ANSWER = 'NO_ANSWER'

type ParserError = NodeJS.ErrnoException & { rawPacket?: Buffer }

const toFailure = ({ code, message, rawPacket }: ParserError): Exchange => ({
  kind: 'failed',
  code: code ?? 'UNKNOWN',
  message,
  ...(rawPacket ? { firstBytes: rawPacket } : {}),
})

const toModule = (url: URL) => (url.protocol === 'https:' ? https : http)

const readStart = async (response: http.IncomingMessage): Promise<HttpResponse> => {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part)
    size += part.length
    if (size >= MAX_BODY_BYTES) break
  }
  const body = Buffer.concat(parts).subarray(0, MAX_BODY_BYTES)
  return { kind: 'response', status: response.statusCode ?? 0, headers: response.headers, body }
}

/** Sends a request and settles with its outcome; rejects only with `ABORTED`. */
const send = async (
  request: http.ClientRequest,
  { signal, timeoutMs = TIMEOUT_MS }: ExchangeOptions,
  body: string,
): Promise<Exchange> => {
  const silence = Object.assign(new Error(`no answer within ${timeoutMs} ms`), { code: NO_ANSWER })
  const timer = setTimeout(() => request.destroy(silence), timeoutMs)
  const unlink = onAbort(signal, () => request.destroy(abortedError(signal)))
  try {
    return await new Promise<HttpResponse>((resolve, reject) => {
      request.on('response', (response) => resolve(readStart(response)))
      request.on('upgrade', ({ statusCode: status = 0, headers }, socket) => {
        socket.destroy()
        resolve({ kind: 'response', status, headers, body: Buffer.alloc(0) })
      })
      request.on('error', reject)
      request.end(body)
    })
  } catch (error) {
    if (signal.aborted) throw abortedError(signal)
    return toFailure(error as ParserError)
  } finally {
    clearTimeout(timer)
    unlink()
    // After an error, the socket may report another one.
    request.on('error', () => {})
  }
}

/** A JSON-RPC call as Rollcall sends it. */
export const exchange = async (url: URL, options: ExchangeOptions): Promise<Exchange> => {
  if (options.signal.aborted) throw abortedError(options.signal)
  const { headers, call = { method: 'status', params: {} } } = options
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...call })
  const ofBody = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  const request = toModule(url).request(url, {
    method: 'POST',
    headers: { ...ofBody, 'user-agent': USER_AGENT, ...headers },
  })
  return await send(request, options, body)
}

/** The handshake of a websocket; its connection is closed at once. Status 101 means that there is one. */
export const requestWebsocket = async (
  url: URL,
  options: Pick<ExchangeOptions, 'signal' | 'timeoutMs' | 'headers'>,
): Promise<Exchange> => {
  if (options.signal.aborted) throw abortedError(options.signal)
  const target = new URL(url)
  target.pathname = `${target.pathname.replace(/\/$/, '')}/websocket`
  const headers = {
    'user-agent': USER_AGENT,
    ...options.headers,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': Buffer.alloc(16).toString('base64'),
  }
  return await send(toModule(target).request(target, { headers }), options, '')
}
