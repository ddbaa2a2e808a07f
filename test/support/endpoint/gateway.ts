// A public endpoint over HTTP: one URL with several nodes behind it, limits, and the manners of a CDN.
import http from 'node:http'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { systemClock } from '../../../infra/base/runtime/clock.ts'
import { listeningUrl } from '../../../infra/base/runtime/listening-url.ts'
import { type Reply, type RpcCall, toEnvelope } from '../chain/fake-replies.ts'
import { createRequestLimits, type Limits, type Refusal } from './request-limits.ts'
import type { RpcResponder } from './simulated-node.ts'
import { createTrafficMeter, type Traffic } from './traffic.ts'

export type GatewayManners = Limits & {
  /** Refuses requests without a `User-Agent`. */
  needsUserAgent?: boolean
  /** Compresses responses for clients that accept gzip. */
  compresses?: boolean
  /** Of this many granted requests, one loses its connection: in turn before and inside the response. */
  cutsOneOf?: number
  /** Of this many granted requests, one response is a small file that expands to 64 MiB. */
  expandsOneOf?: number
  /** Of this many granted requests, one response has status 200 and no body. */
  emptiesOneOf?: number
  /** Decides first, for each request. */
  refuses?: () => Refusal | undefined
  /** Until the response to a granted request begins. */
  latencyMs?: number
}

export type Gateway = {
  readonly url: string
  traffic(): Traffic
  close(): Promise<void>
}

const REASONS: Record<Refusal['status'], string> = {
  403: 'Forbidden',
  429: 'Too Many Requests',
  503: 'Service Temporarily Unavailable',
}

const createPage = (status: Refusal['status']): string => {
  const title = `${status} ${REASONS[status]}`
  const body = `<center><h1>${title}</h1></center>\r\n<hr><center>nginx</center>`
  return `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n${body}\r\n</body>\r\n</html>\r\n`
}

const refuse = (response: http.ServerResponse, { status, retryAfterSeconds }: Refusal): void => {
  const pause = retryAfterSeconds === undefined ? {} : { 'retry-after': `${retryAfterSeconds}` }
  response.writeHead(status, { 'content-type': 'text/html', ...pause }).end(createPage(status))
}

/** Undefined if the body is not a call. */
const readCall = async (request: http.IncomingMessage): Promise<RpcCall | undefined> => {
  try {
    const { id, method, params = {} } = JSON.parse(await text(request)) as RpcCall
    return { id, method, params }
  } catch {
    return undefined
  }
}

const EXPANDED_BYTES = 64 * 2 ** 20

const expand = ({ response, headers }: Sending): Sending => ({
  response,
  body: gzipSync(Buffer.alloc(EXPANDED_BYTES, ' ')),
  headers: { ...headers, 'content-encoding': 'gzip' },
})

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Names a read of a height; empty if the reply has no data. */
const nameRead = ({ method, params }: RpcCall, reply: Reply): string => {
  const { height, path = '', data = '' } = params
  if ('error' in reply || height === undefined || height === '0') return ''
  const { response } = reply.result as { response?: { code: number } }
  return response && response.code !== 0 ? '' : [method, height, path, data].join(' ')
}

type Sending = {
  response: http.ServerResponse
  body: Buffer
  headers: Record<string, string | number>
}

const compress = ({ response, body, headers }: Sending): Sending => ({
  response,
  body: gzipSync(body),
  headers: { ...headers, 'content-encoding': 'gzip' },
})

/** Before the first byte of the response, or in its middle. */
const cut = ({ response, body, headers }: Sending, isBefore: boolean): void => {
  if (isBefore) return void response.destroy()
  response.writeHead(200, { ...headers, 'content-length': body.length })
  response.write(body.subarray(0, body.length / 2), () => response.destroy())
}

/** The nodes answer one after the other. Without a websocket: an upgrade is refused. */
export const startGateway = async (
  nodes: readonly RpcResponder[],
  manners: GatewayManners = {},
  clock = systemClock,
): Promise<Gateway> => {
  const { needsUserAgent = false, compresses = false, cutsOneOf, latencyMs = 0 } = manners
  const { refuses = () => undefined } = manners
  const { expandsOneOf = Number.NaN, emptiesOneOf = Number.NaN } = manners
  const limit = createRequestLimits(manners, clock)
  const meter = createTrafficMeter(clock)
  let granted = 0

  const checkRequest = ({ headers }: http.IncomingMessage): Refusal | undefined =>
    refuses() ?? (needsUserAgent && !headers['user-agent'] ? { status: 403 } : limit())

  const grant = async (
    call: RpcCall,
    request: http.IncomingMessage,
    response: http.ServerResponse,
  ) => {
    const turn = granted++
    const cuts = cutsOneOf === undefined ? 0 : Math.floor(granted / cutsOneOf)
    const isCut = cuts > 0 && granted % cutsOneOf! === 0
    meter.count(call.method, isCut ? 'cut' : 'granted')
    const reply = await nodes[turn % nodes.length]!(call)
    const read = isCut ? '' : nameRead(call, reply)
    if (read) meter.noteRead(read)
    const plain: Sending = {
      response,
      body: Buffer.from(toEnvelope(call.id, reply)),
      headers: { 'content-type': 'application/json' },
    }
    const acceptsGzip = /\bgzip\b/.test(`${request.headers['accept-encoding']}`)
    if (granted % emptiesOneOf === 0) return void response.writeHead(200).end()
    const isExpanded = acceptsGzip && granted % expandsOneOf === 0
    const sending = isExpanded ? expand(plain) : compresses && acceptsGzip ? compress(plain) : plain
    if (latencyMs > 0) await wait(latencyMs)
    if (isCut) return cut(sending, cuts % 2 === 1)
    response.writeHead(200, sending.headers).end(sending.body)
  }

  const server = http.createServer(async (request, response) => {
    meter.arrived()
    const call = await readCall(request)
    if (!call) return void response.writeHead(400).end('not a JSON-RPC call')
    const refusal = checkRequest(request)
    if (!refusal) return grant(call, request, response)
    meter.count(call.method, 'refused')
    if (refusal.retryAfterSeconds !== undefined) meter.forbid(refusal.retryAfterSeconds)
    refuse(response, refusal)
  })
  server.on('upgrade', (_request, socket) => {
    // A client may be gone before it is refused.
    socket.on('error', () => undefined)
    socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: listeningUrl(server) ?? '',
    traffic: meter.current,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
