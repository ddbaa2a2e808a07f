// Runs the package as a service on its own port, behind a gateway.
import { createRateLimiter } from '../infra/base/http/limits/rate-limit.ts'
import { createHttpServer, type Listening, listen } from '../infra/base/http/server.ts'
import { type Clock, systemClock } from '../infra/base/runtime/clock.ts'
import type { Logger } from '../infra/base/runtime/logger.ts'
import type { Auth } from './main.ts'

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

export const startAuthService = async (options: AuthServiceOptions): Promise<Listening> => {
  const { auth, trustProxy, rateLimitPerMinute, logger, clock = systemClock } = options
  const limiter = createRateLimiter(rateLimitPerMinute, () => clock.now())
  const app = createHttpServer({ trustProxy, edge: auth.edge, limiter, logger })
  await app.register(auth.plugin)
  const listening = await listen(app, options)
  logger.info({ url: listening.url }, 'started auth')
  return listening
}
