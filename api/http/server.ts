// Creates the Fastify application of the API without routes: limits, request ids, and responses to malformed requests.
import { randomBytes } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import fastify, { type FastifyInstance, type FastifyServerFactory } from 'fastify'
import type { RateLimiter } from '../../infra/base/http/limits/rate-limit.ts'
import { HTTP_BOUNDS, trustedProxies } from '../../infra/base/http/server.ts'
import { createFastPath, type FastPathOptions } from './fast-path.ts'
import { malformedRequestAnswer, type ProblemOptions, sendProblem } from './problem-details.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The name of the operation in metrics. Paths without a name are counted together. */
    operation?: string
  }
}

export type ServerOptions = {
  /** How many proxies to trust; `true` for all of them. */
  trustProxy: boolean | number
  problems: ProblemOptions
  limiter: RateLimiter
  fastPath: Omit<FastPathOptions, 'limiter' | 'nextRequestId'>
}

const MAX_PARAMETER_LENGTH = 4_096

/** Letters, digits and a hyphen only: an id is the same text in JSON, HTML and Markdown. */
const createRequestIds = () => {
  const prefix = randomBytes(6).toString('hex')
  let last = 0
  return () => {
    last += 1
    return `${prefix}-${last.toString(36)}`
  }
}

/** A server that calls `first` for each request, and Fastify if `first` does not answer. */
const serverWith =
  (first: (...exchange: Parameters<RequestListener>) => boolean): FastifyServerFactory =>
  (handler) => {
    const server = createServer(HTTP_BOUNDS.http, (request, response) => {
      if (!first(request, response)) handler(request, response)
    })
    server.keepAliveTimeout = HTTP_BOUNDS.keepAliveTimeout
    server.requestTimeout = HTTP_BOUNDS.requestTimeout
    return server
  }

export const createHttpServer = (options: ServerOptions): FastifyInstance => {
  const { trustProxy, problems, limiter } = options
  const nextRequestId = createRequestIds()
  const fastPath = createFastPath({ ...options.fastPath, limiter, nextRequestId })
  const app = fastify({
    ...HTTP_BOUNDS,
    logger: false,
    trustProxy: trustedProxies(trustProxy),
    genReqId: nextRequestId,
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
    // Behind a proxy the socket does not have the client address, so the fast path is disabled.
    ...(trustProxy ? {} : { serverFactory: serverWith(fastPath) }),
    frameworkErrors: (error, request, reply) => {
      request.quota = limiter.take(request.ip)
      sendProblem(error, { request, reply }, problems)
    },
    clientErrorHandler: (error, socket) => {
      if (error.code === 'ECONNRESET' || !socket.writable) return
      socket.end(malformedRequestAnswer(problems.baseUrl, error.code))
    },
  })
  // No route reads a body: bodies are discarded, so that the response can be about the method.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => {
    payload.resume()
    done(null)
  })
  return app
}
