// This room alone on a port of its own: for a deployment in which a gateway sends it what is its own.
import type { AddressInfo } from 'node:net'
import fastify, { type FastifyInstance } from 'fastify'
import { type Clock, systemClock } from '../infra/runtime/clock.ts'
import type { Logger } from '../infra/runtime/logger.ts'
import { createRateLimiter } from '../infra/runtime/rate-limit.ts'
import { withDeadline } from '../infra/runtime/retry.ts'
import type { Auth } from './main.ts'
import { rateLimited } from './oauth-error.ts'

export type AuthServiceOptions = {
  auth: Auth
  host: string
  port: number
  trustProxy: boolean
  rateLimitPerMinute: number
  logger: Logger
  clock?: Clock
}

export type AuthService = { url: string; close(): Promise<void> }

const REQUEST_TIMEOUT_MS = 10_000
const KEEP_ALIVE_MS = 65_000
const MAX_CONNECTIONS = 10_000
const CLOSE_BUDGET_MS = 1_000

const createServer = (options: AuthServiceOptions): FastifyInstance => {
  const { clock = systemClock } = options
  const app = fastify({
    logger: false,
    http: { maxHeaderSize: 16 * 1024, headersTimeout: REQUEST_TIMEOUT_MS },
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    trustProxy: options.trustProxy,
  })
  app.server.maxConnections = MAX_CONNECTIONS
  const limiter = createRateLimiter(options.rateLimitPerMinute, () => clock.now())
  app.addHook('onRequest', (request, reply, done) => {
    const quota = limiter.take(request.ip)
    reply.headers({ ratelimit: quota.limit, 'ratelimit-policy': quota.policy })
    done(quota.isExceeded ? rateLimited(quota.resetSeconds) : undefined)
  })
  return app
}

export const startAuthService = async (options: AuthServiceOptions): Promise<AuthService> => {
  const app = createServer(options)
  await app.register(options.auth.plugin)
  await app.listen({ host: options.host, port: options.port })
  const { address, family, port } = app.server.address() as AddressInfo
  const url = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
  options.logger.info({ url }, 'started auth')
  return {
    url,
    close: async () => {
      await withDeadline(CLOSE_BUDGET_MS, undefined, () => app.close()).catch(() => undefined)
      app.server.closeAllConnections()
    },
  }
}
