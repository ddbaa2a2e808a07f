// Routes of an application as values, and the edge of a group of routes: how it answers.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type BodyRules, readBodies } from './bodies.ts'
import type { RenderedResponse } from './errors.ts'
import type { CorsPolicy, Headers } from './headers.ts'

export type Request = FastifyRequest<{
  Params: Record<string, string>
  Querystring: Readonly<Record<string, string | string[] | undefined>>
}>

/** Sends a response, or throws an error that its edge can render. */
export type Handler = (request: Request, reply: FastifyReply) => unknown

/** How a group of routes answers. */
export type Edge = {
  /** Header fields of every response. */
  headers: Headers
  cors: CorsPolicy
  /** The request is undefined for bytes that are no request. */
  renderError(error: unknown, request: Request | undefined): RenderedResponse
  /** The error of a request that none of the routes may receive. */
  findRefusal?(request: Request): Error | undefined
  bodies?: BodyRules
}

export type Route = {
  /** A `:name` in it is any text without a slash. */
  path: string
  /** The methods of a path follow from them; GET includes HEAD. */
  handlers: Readonly<{ GET?: Handler; POST?: Handler }>
  /** The name of the operation in metrics. Paths without a name are counted together. */
  operation?: string
  /** A token of the read API by default. `own` routes check credentials themselves. */
  credentials?: 'mcp' | 'own' | undefined
  /** Instead of that of the edge. */
  cors?: CorsPolicy
}

export type AddedRoute = Route & { edge: Edge }

/** The methods of a path, as `Allow` lists them. */
export function listMethods({ handlers }: Pick<Route, 'handlers'>): string[] {
  return [...(handlers.GET ? ['GET', 'HEAD'] : []), ...(handlers.POST ? ['POST'] : []), 'OPTIONS']
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The paths without GET. None has a parameter. */
    unreadable: Set<string>
  }
  interface FastifyContextConfig {
    route?: AddedRoute
    /** For methods of the path that have no handler. */
    isOther?: boolean
  }
}

/** `app` is an application of `createHttpServer`, which answers the methods without a handler. */
export const addRoutes = (app: FastifyInstance, edge: Edge, routes: readonly Route[]): void => {
  if (!app.hasDecorator('unreadable')) app.decorate('unreadable', new Set<string>())
  const add = (scope: FastifyInstance): void => {
    for (const each of routes) {
      if (!each.handlers.GET) app.unreadable.add(each.path)
      const route = { ...each, edge }
      const { path: url, handlers } = route
      for (const [method, handler] of Object.entries(handlers)) {
        scope.route({ method, url, config: { route }, handler: handler as never })
      }
      const handled = handlers.GET ? ['HEAD', ...Object.keys(handlers)] : Object.keys(handlers)
      const method = app.supportedMethods.filter((other) => !handled.includes(other))
      scope.route({ method, url, config: { route, isOther: true }, handler: () => undefined })
    }
  }
  const { bodies } = edge
  if (!bodies) {
    add(app)
    return
  }
  // The parsers of bodies are those of a scope.
  void app.register(async (scope) => {
    readBodies(scope, bodies)
    add(scope)
  })
}

/** Whether a GET of this path has a handler. */
export function isReadable(app: FastifyInstance, url: string): boolean {
  return app.findRoute({ method: 'GET', url }) !== null && !app.unreadable.has(url)
}

const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i

/** `query` includes the `?`, or is empty. Nothing is decoded. */
export const splitTarget = (url: string): { path: string; query: string } => {
  const target = url.replace(ORIGIN, '')
  const at = target.indexOf('?')
  return at < 0
    ? { path: target, query: '' }
    : { path: target.slice(0, at), query: target.slice(at) }
}

/** Decodes like the router, which accepts absolute URLs and percent-encoded paths. */
export const decodePath = (url: string): string => {
  const path = splitTarget(url).path || '/'
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
