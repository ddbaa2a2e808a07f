// HTTP limits that all public services share: bounds on requests and connections, and how a service closes.
import { type IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../runtime/clock.ts'
import { waitUntilSettled } from '../runtime/promises.ts'
import { withDeadline } from '../runtime/retry.ts'
import { limitConnections } from './limits/connection-limits.ts'
import { endUnreadResponses } from './limits/unread-responses.ts'
import { listeningUrl } from './listening-url.ts'

const REQUEST_TIMEOUT_MS = 10_000
const MAX_CONNECTIONS = 10_000
const KEEP_ALIVE_MS = 65_000
const BUSY_KEEP_ALIVE_MS = 5_000
/** Time limit for running responses when the service closes. */
const CLOSE_BUDGET_MS = 1_000
const TOO_MANY_REQUESTS = 429

/** Closes the connection with a 429, so that a client over its quota does not keep a connection. */
class ClosingResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
  // biome-ignore lint/suspicious/noExplicitAny: the overloads of the method of Node
  override writeHead(status: number, ...rest: any[]): this {
    if (status === TOO_MANY_REQUESTS) this.shouldKeepAlive = false
    return super.writeHead(status, ...rest)
  }
}

/** For `fastify(…)`. */
export const HTTP_BOUNDS = {
  http: {
    ServerResponse: ClosingResponse as typeof ServerResponse,
    maxHeaderSize: 16 * 1024,
    headersTimeout: REQUEST_TIMEOUT_MS,
    /** With the default, Node notices a slow request half a minute late. */
    connectionsCheckingInterval: 1_000,
  },
  requestTimeout: REQUEST_TIMEOUT_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
} as const

/**
 * For `trustProxy` of Fastify, which does not accept a number of proxies. `true` trusts the leftmost address, which a client
 * can choose unless the proxy overwrites the field. A number of proxies trusts only the addresses that they appended.
 */
export const trustedProxies = (trustProxy: boolean | number) =>
  typeof trustProxy === 'number'
    ? (_address: string, hop: number): boolean => hop < trustProxy
    : trustProxy

/** Why a request is ambiguous (RFC 9112, 3.2 and 6.1), which Node does not refuse; undefined if it is not. */
export const findAmbiguity = ({ rawHeaders, headers }: IncomingMessage): string | undefined => {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  if (hosts > 1) return 'The request must have one Host field.'
  const coding = headers['transfer-encoding']
  if (coding === undefined || coding.trim().toLowerCase() === 'chunked') return undefined
  return 'The only supported transfer coding is chunked.'
}

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
