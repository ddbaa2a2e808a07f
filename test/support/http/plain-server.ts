// An application with the hooks of every service, called without a socket. Its errors are plain texts.
import { HttpError, type RenderedResponse } from '../../../infra/base/http/errors.ts'
import { OWN_PAGES_ONLY } from '../../../infra/base/http/headers.ts'
import { createRateLimiter } from '../../../infra/base/http/limits/rate-limit.ts'
import type { Edge } from '../../../infra/base/http/routes.ts'
import { createHttpServer, type HttpServerOptions } from '../../../infra/base/http/server.ts'
import { silentLogger } from '../process/log-lines.ts'

const renderPlain = (error: unknown): RenderedResponse => {
  const { message } = error as Error
  const [status, headers] = error instanceof HttpError ? [error.status, error.headers] : [500, {}]
  return { status, headers, mediaType: 'text/plain', body: message }
}

export const PLAIN_EDGE: Edge = { headers: {}, cors: OWN_PAGES_ONLY, renderError: renderPlain }

export const createPlainServer = (options: Partial<HttpServerOptions> = {}) =>
  createHttpServer({
    trustProxy: false,
    edge: PLAIN_EDGE,
    limiter: createRateLimiter(1_000_000, () => 0),
    logger: silentLogger(),
    ...options,
  })
