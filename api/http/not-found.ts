// Answers requests for unknown paths with 404, and unsupported methods of the other paths with 405.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { OtherMethods } from '../../infra/runtime/other-methods.ts'
import { ApiProblem } from '../problem.ts'
import { commonHeaders, PREFLIGHT_HEADERS } from './headers.ts'
import { splitTarget } from './target.ts'

/** Decodes like the router, which accepts absolute URLs and percent-encoded paths. */
const decodePath = (url: string): string => {
  const path = splitTarget(url).path || '/'
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

/** Returns true if it has answered with an HTML page, for browsers. */
export type NotFoundPage = (
  problem: ApiProblem,
  exchange: { request: FastifyRequest; reply: FastifyReply },
) => boolean

export const addNotFound = (app: FastifyInstance, sendPage: NotFoundPage): void => {
  app.setNotFoundHandler((request, reply) => {
    const path = decodePath(request.url)
    const problem = new ApiProblem('route-not-found', `This service has no resource at ${path}.`)
    if (sendPage(problem, { request, reply })) return reply
    throw problem
  })
}

export const OTHER_METHODS: OtherMethods = {
  optionsHeaders: (request, allow) => ({
    ...commonHeaders(request),
    ...PREFLIGHT_HEADERS,
    'access-control-allow-methods': allow,
  }),
  createError: (method, allow) =>
    new ApiProblem('method-not-allowed', `${method} is not allowed. Allowed are ${allow}.`, {
      headers: { allow },
    }),
}
