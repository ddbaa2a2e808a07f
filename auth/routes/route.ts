// Registers one path with the header fields of all its responses, and says how other methods are answered.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { OtherMethods } from '../../infra/base/http/other-methods.ts'
import { AuthError } from '../oauth-error.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For requests that end before the handler of the route runs. */
    answerHeaders?: Readonly<Record<string, string>>
  }
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

export type Route = {
  path: string
  method: 'GET' | 'POST'
  /** Any origin may call it from a browser; otherwise only our own pages. */
  isShared: boolean
  handler: Handler
}

const COMMON = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' } as const
const SHARED = {
  ...COMMON,
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'ETag, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id',
} as const

/** MCP clients in a browser send the revision of their protocol also to the metadata of the service. */
const createPreflight = (allow: string) => ({
  'access-control-allow-methods': allow,
  'access-control-allow-headers':
    'Accept, Authorization, Content-Type, If-None-Match, MCP-Protocol-Version',
  'access-control-max-age': '86400',
})

export const addRoute = (app: FastifyInstance, { path, method, isShared, handler }: Route) => {
  const headers = isShared ? SHARED : COMMON
  app.route({
    url: path,
    method,
    config: { answerHeaders: headers },
    handler: (request, reply) => handler(request, reply.headers(headers)),
  })
}

export const OTHER_METHODS: OtherMethods = {
  optionsHeaders: ({ routeOptions }, allow) => {
    const headers = routeOptions.config.answerHeaders ?? COMMON
    return headers === SHARED ? { ...headers, ...createPreflight(allow) } : headers
  },
  createError: (_method, allow) =>
    new AuthError('method_not_allowed', `This path allows only ${allow}.`, { headers: { allow } }),
}
