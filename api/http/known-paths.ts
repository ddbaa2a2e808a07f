// What a path answers that is not a GET: preflight for OPTIONS, 405 with `Allow` for the rest, 404 for paths there are not.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiProblem } from '../problem.ts'
import { commonHeaders, PREFLIGHT_HEADERS } from './headers.ts'
import { splitTarget } from './target.ts'

const ALLOW = 'GET, HEAD, OPTIONS'

const toPattern = (url: string): RegExp =>
  new RegExp(`^${url.replace(/[.]/g, '\\.').replace(/:[^/]+/g, '[^/]+')}$`)

/** As the router reads it, which takes whole addresses and any spelling of a path. */
const decodePath = (url: string): string => {
  const path = splitTarget(url).path || '/'
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

/** True where it answered with a page: who opens an address in a browser is to see one. */
export type NotFoundPage = (
  problem: ApiProblem,
  exchange: { request: FastifyRequest; reply: FastifyReply },
) => boolean

/** Before the routes: it learns of them as they are added. Every route of this service is a GET. */
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
      const problem = new ApiProblem('route-not-found', `There is nothing at ${path}.`)
      if (sendPage(problem, { request, reply })) return reply
      throw problem
    }
    if (method === 'OPTIONS') {
      return reply
        .code(204)
        .headers({ ...commonHeaders(request), ...PREFLIGHT_HEADERS, allow: ALLOW })
        .send()
    }
    throw new ApiProblem('method-not-allowed', `${method} is not possible here, only ${ALLOW}.`, {
      headers: { allow: ALLOW },
    })
  })
}
