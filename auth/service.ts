// Runs the package as a service on its own port, behind a gateway.
import fastify, { type FastifyInstance } from 'fastify'
import { createRateLimiter } from '../infra/base/http/limits/rate-limit.ts'
import { answerRareMethods } from '../infra/base/http/other-methods.ts'
import { HTTP_BOUNDS, type Listening, listen, trustedProxies } from '../infra/base/http/server.ts'
import { type Clock, systemClock } from '../infra/base/runtime/clock.ts'
import type { Logger } from '../infra/base/runtime/logger.ts'
import type { Auth } from './main.ts'
import { rateLimited } from './oauth-error.ts'
import { OTHER_METHODS } from './routes/route.ts'

export type AuthServiceOptions = {
  auth: Auth
  host: string
  port: number
  trustProxy: boolean | number
  maxConnectionsPerAddress: number
  rateLimitPerMinute: number
  logger: Logger
  clock?: Clock
}

const createServer = (options: AuthServiceOptions): FastifyInstance => {
  const { clock = systemClock } = options
  const app = fastify({
    ...HTTP_BOUNDS,
    logger: false,
    trustProxy: trustedProxies(options.trustProxy),
  })
  const limiter = createRateLimiter(options.rateLimitPerMinute, () => clock.now())
  app.addHook('onRequest', (request, reply, done) => {
    const quota = limiter.take(request.ip)
    reply.headers({ ratelimit: quota.limit, 'ratelimit-policy': quota.policy })
    done(quota.isExceeded ? rateLimited(quota.resetSeconds) : undefined)
  })
  answerRareMethods(app, OTHER_METHODS.createError)
  return app
}

export const startAuthService = async (options: AuthServiceOptions): Promise<Listening> => {
  const app = createServer(options)
  await app.register(options.auth.plugin)
  const listening = await listen(app, options)
  options.logger.info({ url: listening.url }, 'started auth')
  return listening
}
