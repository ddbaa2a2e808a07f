// The gateway of services on one machine: the routes of infra/deploy/gateway, without TLS, limits and an access log.
// A read that fails on one instance is sent to another one.
import replyFrom from '@fastify/reply-from'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { listeningUrl } from '../../infra/base/runtime/ports.ts'

export type GatewayOptions = {
  port: number
  /** URLs of the instances of each service. */
  api: readonly string[]
  auth: readonly string[]
}

export type Gateway = { url: string; close(): Promise<void> }

type Service = { upstreams: readonly string[]; routes: readonly string[] }

/** The same paths as in `locations.conf`. */
const AUTH_ROUTES = [
  '/agent/*',
  '/oauth2/*',
  '/delegation',
  '/delegation/*',
  '/.well-known/oauth-*',
  '/.well-known/openid-configuration',
  '/.well-known/jwks.json',
]
const MAX_BODY_BYTES = 256 * 1024
/** A stream stays open for as long as its heartbeats arrive. */
const TIMEOUTS = { headersTimeout: 60_000, bodyTimeout: 60_000 }
const CLOSE_GRACE_MS = 500

/** The balancer prefers reachable instances, but may choose an unreachable one several times in a row. */
const MAX_ATTEMPTS = 6
const RETRY_PAUSE_MS = 1
const NOT_SENT = ['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT']
const INTERRUPTED = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']

const readErrorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

/** A write is repeated only where no instance received it. Null ends the attempts. */
const retryDelay = (method: string, { err, attempt }: { err: unknown; attempt: number }) => {
  const isRead = method === 'GET' || method === 'HEAD'
  const codes = isRead ? [...NOT_SENT, ...INTERRUPTED] : NOT_SENT
  return attempt < MAX_ATTEMPTS && codes.includes(readErrorCode(err)) ? RETRY_PAUSE_MS : null
}

const refuse = (reply: FastifyReply): void => {
  const body = '{"type":"about:blank","title":"Not available at the moment","status":503}\n'
  void reply.code(503).header('retry-after', '2').type('application/problem+json').send(body)
}

const toRequestBody = ({ body, headers }: FastifyRequest) => {
  if (body === undefined) return {}
  return { body, contentType: headers['content-type'] ?? 'application/octet-stream' }
}

/** `X-Forwarded-For` is overwritten, never appended to: the services trust it. */
const forwardedHeaders = ({ headers, socket }: FastifyRequest) => ({
  host: headers.host,
  'x-forwarded-for': socket.remoteAddress,
  'x-forwarded-proto': 'http',
  'x-forwarded-host': headers.host,
  forwarded: undefined,
})

const addService = async (app: FastifyInstance, { upstreams, routes }: Service): Promise<void> => {
  // A scope of its own: each service has its own balancer.
  await app.register(async (scope) => {
    await scope.register(replyFrom, {
      base: [...upstreams],
      disableRequestLogging: true,
      undici: TIMEOUTS,
      destroyAgent: true,
    })
    const forward = (request: FastifyRequest, reply: FastifyReply) =>
      reply.from(request.raw.url ?? '/', {
        ...toRequestBody(request),
        // The balancer replaces the origin.
        getUpstream: () => upstreams[0] ?? '',
        rewriteRequestHeaders: (_, headers) => ({ ...headers, ...forwardedHeaders(request) }),
        retryDelay: (attempt) => retryDelay(request.method, attempt),
        onError: () => refuse(reply),
      })
    for (const route of routes) scope.all(route, forward)
  })
}

/** Resolves once it listens, on loopback. */
export const startGateway = async ({ port, api, auth }: GatewayOptions): Promise<Gateway> => {
  const app = fastify({ bodyLimit: MAX_BODY_BYTES, exposeHeadRoutes: false })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: FastifyRequest, body: Buffer) =>
    body.length > 0 ? body : undefined,
  )
  await addService(app, { upstreams: auth, routes: AUTH_ROUTES })
  await addService(app, { upstreams: api, routes: ['/*'] })
  await app.listen({ host: '127.0.0.1', port })
  return {
    url: listeningUrl(app.server) ?? '',
    close: async () => {
      // Streams never end by themselves.
      const timer = setTimeout(() => app.server.closeAllConnections(), CLOSE_GRACE_MS)
      await app.close()
      clearTimeout(timer)
    },
  }
}
