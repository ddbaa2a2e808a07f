// Routes of an application as values, and the edge of a group of routes: how it answers. Fastify knows only their handlers.
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

/** Fastify finds a handler of a method, and no route of a path. */
export type RouteTable<Found> = {
  add(route: Found): void
  /** `path` is decoded. */
  find(path: string): Found | undefined
}

const toPattern = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/:[^/]+/g, '[^/]+')}$`)

export function createRouteTable<Found extends { path: string }>(): RouteTable<Found> {
  const fixed = new Map<string, Found>()
  const patterns: { pattern: RegExp; route: Found }[] = []
  return {
    add: (route) => {
      if (!route.path.includes(':')) fixed.set(route.path, route)
      else patterns.push({ pattern: toPattern(route.path), route })
    },
    find: (path) => fixed.get(path) ?? patterns.find(({ pattern }) => pattern.test(path))?.route,
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    route?: AddedRoute
  }
  interface FastifyInstance {
    routeTable: RouteTable<AddedRoute>
  }
}

/** `app` is an application of `createHttpServer`. */
export const addRoutes = (app: FastifyInstance, edge: Edge, routes: readonly Route[]): void => {
  const added = routes.map((route) => ({ ...route, edge }))
  const add = (scope: FastifyInstance): void => {
    for (const route of added) {
      for (const [method, handler] of Object.entries(route.handlers)) {
        scope.route({ method, url: route.path, config: { route }, handler: handler as never })
      }
    }
  }
  for (const route of added) app.routeTable.add(route)
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
