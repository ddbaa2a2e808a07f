// Answers requests for unknown paths with 404, and unsupported methods of the other paths with 405.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { API_PATHS } from '../../auth/contract/service.ts'
import { type OtherMethods, toPattern } from '../../infra/base/http/other-methods.ts'
import { ApiProblem } from '../problem.ts'
import { commonHeaders, PREFLIGHT_HEADERS } from './headers.ts'
import { suggestPath } from './suggest-path.ts'
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

const { docs, openapi } = API_PATHS

const createProblem = (path: string, suggested: string | undefined): ApiProblem => {
  const meant = suggested === undefined ? '' : ` Did you mean ${suggested}?`
  return new ApiProblem(
    'route-not-found',
    `This service has no resource at ${path}.${meant} ${docs} lists all resources, ${openapi} describes them.`,
    { links: { ...(suggested === undefined ? {} : { suggested }), docs, openapi } },
  )
}

/** Call it before the routes: it suggests only their paths. */
export const addNotFound = (app: FastifyInstance, sendPage: NotFoundPage): void => {
  const patterns = new Set<string>()
  let known: readonly RegExp[] | undefined
  app.addHook('onRoute', ({ url, method }) => {
    if (method === 'GET' && !url.includes('*')) patterns.add(url)
  })
  const isKnown = (path: string): boolean => {
    known ??= [...patterns].map(toPattern)
    return known.some((pattern) => pattern.test(path))
  }
  app.setNotFoundHandler((request, reply) => {
    const path = decodePath(request.url)
    const problem = createProblem(path, suggestPath(path, isKnown))
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
