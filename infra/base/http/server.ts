// Creates the HTTP application of a service, without routes: limits, request ids, and answers to bytes that are no request.

import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import proxyAddress from '@fastify/proxy-addr'
import fastify, { type FastifyInstance } from 'fastify'
import { waitUntilSettled } from '../runtime/abort.ts'
import type { Clock } from '../runtime/clock.ts'
import { listeningUrl } from '../runtime/ports.ts'
import { withDeadline } from '../runtime/retry.ts'
import { type Answering, answerRequests } from './answering.ts'
import { discardBodies } from './bodies.ts'
import { type RenderedResponse, toParserError } from './errors.ts'
import { endUnreadResponses, limitConnections } from './limits/connections.ts'
import type { RateLimiter } from './limits/rate-limit.ts'
import { countRequest } from './limits/rate-limit.ts'
import { createTurns, type Turns } from './limits/turns.ts'

const REQUEST_TIMEOUT_MS = 10_000
export const KEEP_ALIVE_MS = 65_000
const MAX_PARAMETER_LENGTH = 4_096

const HTTP_OPTIONS = {
  maxHeaderSize: 16 * 1024,
  keepAliveTimeout: KEEP_ALIVE_MS,
  headersTimeout: REQUEST_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  /** With the default, Node notices a slow request half a minute late. */
  connectionsCheckingInterval: 1_000,
} as const

/**
 * `true` trusts the leftmost address, which a client can choose unless the proxy overwrites the field. A number of proxies trusts only
 * the addresses that they appended.
 */
const trustProxies =
  (trustProxy: boolean | number) =>
  (_address: string, hop: number): boolean =>
    typeof trustProxy === 'number' ? hop < trustProxy : trustProxy

/** Letters, digits and a hyphen only: an id is the same text in JSON, HTML and Markdown. */
const createRequestIds = () => {
  const prefix = randomBytes(6).toString('hex')
  let last = 0
  return () => {
    last += 1
    return `${prefix}-${last.toString(36)}`
  }
}

/** Returns true if it has answered the request. */
export type FirstListener = (...exchange: Parameters<RequestListener>) => boolean

/** `getAddress`: that of the client, as `ip` of a request. */
export type FirstOptions = {
  nextRequestId: () => string
  getAddress: (request: IncomingMessage) => string
}

const formatRawAnswer = ({ status, mediaType, body }: RenderedResponse): string =>
  [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    `Content-Type: ${mediaType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n')

export type HttpServerOptions = Omit<Answering, 'admit' | 'turns'> & {
  /** By default each request counts with `limiter`. */
  admit?: Answering['admit']
  /** By default `limiter` alone is charged with their work. */
  turns?: Turns
  /** How many proxies to trust; `true` for all of them. */
  trustProxy: boolean | number
  limiter: RateLimiter
  /** Answers some requests before the router. */
  createFirst?: (options: FirstOptions) => FirstListener
}

export const createHttpServer = (options: HttpServerOptions): FastifyInstance => {
  const { trustProxy, edge, limiter, createFirst } = options
  const nextRequestId = createRequestIds()
  const trust = trustProxies(trustProxy)
  const getAddress: FirstOptions['getAddress'] = trustProxy
    ? (request) => proxyAddress(request, trust)
    : ({ socket }) => socket.remoteAddress ?? ''
  const first = createFirst?.({ nextRequestId, getAddress })
  const app = fastify({
    serverFactory: (handler) =>
      createServer(HTTP_OPTIONS, (request, response) => {
        if (!first?.(request, response)) handler(request, response)
      }),
    logger: false,
    trustProxy: trustProxy ? trust : false,
    genReqId: nextRequestId,
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
    frameworkErrors: (error, request, reply) => {
      countRequest(request, limiter)
      refuse(error, request, reply)
    },
    clientErrorHandler: (error, socket) => {
      if (error.code === 'ECONNRESET' || !socket.writable) return
      socket.end(formatRawAnswer(edge.renderError(toParserError(error.code), undefined)))
      // No timer of the server closes a connection without a parser.
      ;(socket as Socket).destroySoon()
    },
  })
  discardBodies(app)
  const { refuse } = answerRequests(app, {
    admit: (request) => countRequest(request, limiter),
    turns: createTurns({ onWork: limiter.charge }),
    ...options,
  })
  return app
}

const MAX_CONNECTIONS = 10_000
const BUSY_KEEP_ALIVE_MS = 5_000
/** Time limit for running responses when the service closes. */
const CLOSE_BUDGET_MS = 1_000

export type ListenOptions = {
  host: string
  port: number
  /** Limit per client address. */
  maxConnectionsPerAddress: number
  /** Behind a proxy, connections per address are not limited: all of them come from the proxy. */
  trustProxy: boolean | number
  clock?: Clock | undefined
}

export type Listening = {
  url: string
  /** Accepts no more requests, and then ends every connection. */
  close(): Promise<void>
}

export const listen = async (app: FastifyInstance, options: ListenOptions): Promise<Listening> => {
  const { host, port, maxConnectionsPerAddress, trustProxy, clock } = options
  app.server.maxConnections = MAX_CONNECTIONS
  endUnreadResponses(app.server, clock)
  if (trustProxy === false) {
    limitConnections(app.server, {
      maxConnections: MAX_CONNECTIONS,
      maxPerClient: maxConnectionsPerAddress,
      keepAliveMs: KEEP_ALIVE_MS,
      busyKeepAliveMs: BUSY_KEEP_ALIVE_MS,
    })
  }
  await app.listen({ host, port })
  const url = listeningUrl(app.server)
  if (url === undefined) throw new Error('the server listens on no port')
  return {
    url,
    close: async () => {
      await waitUntilSettled(withDeadline(CLOSE_BUDGET_MS, undefined, () => app.close()))
      app.server.closeAllConnections()
    },
  }
}
