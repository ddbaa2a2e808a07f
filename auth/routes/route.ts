// Registers one path with all its methods, including HEAD and OPTIONS, and 405 with `Allow` for the others.
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
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

const METHODS: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

const COMMON = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' } as const
const SHARED = {
  ...COMMON,
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'ETag, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id',
} as const

const createPreflight = (allow: string) => ({
  'access-control-allow-methods': allow,
  'access-control-allow-headers': 'Accept, Authorization, Content-Type, If-None-Match',
  'access-control-max-age': '86400',
})

export const addRoute = (app: FastifyInstance, { path, method, isShared, handler }: Route) => {
  const own: readonly HTTPMethods[] = method === 'GET' ? ['GET', 'HEAD'] : ['POST']
  const allow = [...own, 'OPTIONS'].join(', ')
  const headers = isShared ? SHARED : COMMON
  const common = { url: path, exposeHeadRoute: false, config: { answerHeaders: headers } }
  app.route({
    ...common,
    method: [...own],
    handler: (request, reply) => handler(request, reply.headers(headers)),
  })
  app.route({
    ...common,
    method: 'OPTIONS',
    handler: async (_request, reply) =>
      reply
        .code(204)
        .headers({ ...headers, allow, ...(isShared ? createPreflight(allow) : {}) })
        .send(),
  })
  app.route({
    ...common,
    method: METHODS.filter((each) => !own.includes(each)),
    // Before any body is read.
    onRequest: async (_request, reply) => {
      reply.headers(headers)
      throw new AuthError('method_not_allowed', `This path allows only ${allow}.`, {
        headers: { allow },
      })
    },
    handler: async () => undefined,
  })
}
