// Answers requests without a route: 204 for OPTIONS, 405 with `Allow` for other methods, 404 for unknown paths.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiProblem } from '../problem.ts'
import { commonHeaders, PREFLIGHT_HEADERS } from './headers.ts'
import { splitTarget } from './target.ts'

const ALLOW = 'GET, HEAD, OPTIONS'

const toPattern = (url: string): RegExp =>
  new RegExp(`^${url.replace(/[.]/g, '\\.').replace(/:[^/]+/g, '[^/]+')}$`)

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

/** Must be called before the routes are added, because it records them. Every route of this service is a GET. */
export const addKnownPaths = (app: FastifyInstance, sendPage: NotFoundPage): void => {
  const patterns = new Map<string, RegExp>()
  app.addHook('onRoute', ({ url }) => {
    patterns.set(url, toPattern(url))
  })
  const isKnown = (path: string) => [...patterns.values()].some((pattern) => pattern.test(path))

  app.setNotFoundHandler((request, reply) => {
    const path = decodePath(request.url)
    const { method } = request
    if (!isKnown(path)) {
      const problem = new ApiProblem('route-not-found', `This service has no resource at ${path}.`)
      if (sendPage(problem, { request, reply })) return reply
      throw problem
    }
    if (method === 'OPTIONS') {
      return reply
        .code(204)
        .headers({ ...commonHeaders(request), ...PREFLIGHT_HEADERS, allow: ALLOW })
        .send()
    }
    throw new ApiProblem('method-not-allowed', `${method} is not allowed. Allowed are ${ALLOW}.`, {
      headers: { allow: ALLOW },
    })
  })
}
