// A public endpoint over HTTP: one URL with several nodes behind it, limits, and the manners of a CDN.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { type HttpServer, startServer } from '../../http/server.ts'
import {
  answerBody,
  type HttpAnswer,
  MAX_BODY_BYTES,
  readBody,
  sendAnswer,
  sendHalf,
} from '../rpc/bodies.ts'
import type { Responder, RpcCall } from '../rpc/reply.ts'

type RateLimit = {
  perSecond: number
  /** The largest number of requests at once. */
  burst: number
  /** Sent as `Retry-After` with each refusal. */
  retryAfterSeconds: number
}

type BurstLimit = {
  /** More requests than this within `withinMs` are a burst. */
  requests: number
  withinMs: number
  /** How long every request is refused after a burst. */
  punishedMs: number
}

type Limits = { rate?: RateLimit; bursts?: BurstLimit }

type Refusal = { status: 403 | 413 | 429 | 503; retryAfterSeconds?: number }

type Limit = () => Refusal | undefined

const createBucket = ({ perSecond, burst, retryAfterSeconds }: RateLimit): Limit => {
  let tokens = burst
  let filledAtMs = Date.now()
  return () => {
    const nowMs = Date.now()
    tokens = Math.min(burst, tokens + ((nowMs - filledAtMs) / 1_000) * perSecond)
    filledAtMs = nowMs
    if (tokens < 1) return { status: 429, retryAfterSeconds }
    tokens -= 1
    return undefined
  }
}

const createBurstLimit = ({ requests, withinMs, punishedMs }: BurstLimit): Limit => {
  let arrivals: number[] = []
  let punishedUntilMs = 0
  let refusals = 0
  return () => {
    const nowMs = Date.now()
    if (nowMs >= punishedUntilMs) {
      arrivals = [...arrivals.filter((atMs) => atMs > nowMs - withinMs), nowMs]
      if (arrivals.length <= requests) return undefined
      arrivals = []
      punishedUntilMs = nowMs + punishedMs
    }
    return { status: refusals++ % 2 === 0 ? 403 : 503 }
  }
}

/** Each call is one request. */
const createRequestLimits = ({ rate, bursts }: Limits): Limit => {
  const limits = [
    ...(bursts ? [createBurstLimit(bursts)] : []),
    ...(rate ? [createBucket(rate)] : []),
  ]
  return () => {
    for (const limit of limits) {
      const refusal = limit()
      if (refusal) return refusal
    }
    return undefined
  }
}

type DeliveryManners = {
  /** Compresses responses for clients that accept gzip. */
  compresses?: boolean
  /** Of this many granted requests, one loses its connection: in turn before and inside the response. */
  cutsOneOf?: number
  /** Of this many granted requests, one response is a small file that expands to 64 MiB. */
  expandsOneOf?: number
  /** Of this many granted requests, one response has status 200 and no body. */
  emptiesOneOf?: number
}

type Deliver = (request: IncomingMessage, response: ServerResponse, answer: HttpAnswer) => void

const EXPANDED = ' '.repeat(64 * 2 ** 20)

const acceptsGzip = ({ headers }: IncomingMessage): boolean =>
  /\bgzip\b/.test(`${headers['accept-encoding']}`)

const sendGzip = (response: ServerResponse, { status, text }: HttpAnswer): void => {
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  response.writeHead(status, headers).end(gzipSync(text))
}

/** Before the first byte of the response, or in its middle. */
const cut = (response: ServerResponse, answer: HttpAnswer, isBefore: boolean): void => {
  if (isBefore) response.destroy()
  else sendHalf(response, answer)
}

/** Call the result for each granted request. */
const createDelivery = (manners: DeliveryManners): Deliver => {
  const { compresses = false, cutsOneOf, expandsOneOf, emptiesOneOf } = manners
  let granted = 0
  const isOneOf = (many: number | undefined) => many !== undefined && granted % many === 0
  return (request, response, answer) => {
    granted++
    if (isOneOf(emptiesOneOf)) response.writeHead(200).end()
    else if (cutsOneOf && isOneOf(cutsOneOf)) cut(response, answer, (granted / cutsOneOf) % 2 === 1)
    else if (!acceptsGzip(request)) sendAnswer(response, answer)
    else if (isOneOf(expandsOneOf)) sendGzip(response, { status: 200, text: EXPANDED })
    else if (compresses) sendGzip(response, answer)
    else sendAnswer(response, answer)
  }
}

/** Each call of a batch counts as a request. */
export type GatewayManners = Limits &
  DeliveryManners & {
    /** Refuses requests without a `User-Agent`. */
    needsUserAgent?: boolean
    /** Decides first, for each request. */
    refuses?: () => Refusal | undefined
  }

const REASONS: Record<Refusal['status'], string> = {
  403: 'Forbidden',
  413: 'Request Entity Too Large',
  429: 'Too Many Requests',
  503: 'Service Temporarily Unavailable',
}

const createPage = (status: Refusal['status']): string => {
  const title = `${status} ${REASONS[status]}`
  const body = `<center><h1>${title}</h1></center>\r\n<hr><center>nginx</center>`
  return `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n${body}\r\n</body>\r\n</html>\r\n`
}

const refuse = (response: ServerResponse, { status, retryAfterSeconds }: Refusal): void => {
  const pause = retryAfterSeconds === undefined ? {} : { 'retry-after': `${retryAfterSeconds}` }
  response.writeHead(status, { 'content-type': 'text/html', ...pause }).end(createPage(status))
}

/** The nodes answer one after the other. Without a websocket: an upgrade is refused. */
export const startGateway = async (
  nodes: readonly Responder[],
  manners: GatewayManners = {},
): Promise<HttpServer> => {
  const { needsUserAgent = false, refuses = () => undefined } = manners
  const limit = createRequestLimits(manners)
  const deliver = createDelivery(manners)
  let turn = 0

  const checkRequest = ({ headers }: IncomingMessage, calls: number): Refusal | undefined => {
    const refusal = refuses()
    if (refusal) return refusal
    if (needsUserAgent && !headers['user-agent']) return { status: 403 }
    for (let call = 1; call < calls; call++) limit()
    return limit()
  }

  const grant = async (body: string, request: IncomingMessage, response: ServerResponse) => {
    const respond = nodes[turn++ % nodes.length]!
    deliver(request, response, await answerBody(body, respond))
  }

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await readBody(request, MAX_BODY_BYTES)
    if (body === undefined) return refuse(response, { status: 413 })
    const calls = [JSON.parse(body) as RpcCall | RpcCall[]].flat()
    const refusal = checkRequest(request, calls.length)
    if (refusal) refuse(response, refusal)
    else await grant(body, request, response)
  }

  return await startServer(serve)
}
