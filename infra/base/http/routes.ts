// Adds routes to an application, and answers every other request: 404, 405, OPTIONS, and errors in the format of the edge.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from '../runtime/logger.ts'
import { type BodyRules, readBodies } from './bodies.ts'
import { HttpError, methodNotAllowed, type RenderedResponse, toHttpError } from './errors.ts'
import { type CorsPolicy, createRequestHeaders, type Headers, NO_STORE } from './headers.ts'
import { findRefusal } from './limits/refusals.ts'
import { createRouteTable, listMethods, type RouteTable, type RouteValue } from './route-table.ts'
import { decodePath } from './target.ts'

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

export type Route = RouteValue<Handler> & {
  /** The name of the operation in metrics. Paths without a name are counted together. */
  operation?: string
  /** A token of the read API by default. `own` routes check credentials themselves. */
  credentials?: 'mcp' | 'own' | undefined
  /** Instead of that of the edge. */
  cors?: CorsPolicy
}

type AddedRoute = Route & { edge: Edge }

declare module 'fastify' {
  interface FastifyContextConfig {
    route?: AddedRoute
  }
  interface FastifyRequest {
    /** The route of the path, whatever the method is; null for an unknown path. */
    route: AddedRoute | null
  }
  interface FastifyInstance {
    routeTable: RouteTable<AddedRoute>
  }
}

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

export type Answering = {
  /** For requests without a route. */
  edge: Edge
  /** Counts a request. Gives the error of a request that is not admitted. */
  admit(request: Request): Promise<Error | undefined> | Error | undefined
  /** Called for every response that Fastify sends. */
  onAnswer?: ((request: FastifyRequest, status: number) => void) | undefined
  logger: Logger
}

/** Call it once, before the routes are added. */
export const answerRequests = (app: FastifyInstance, options: Answering) => {
  const { edge, admit, onAnswer, logger } = options
  app.decorate('routeTable', createRouteTable<AddedRoute>())
  app.decorateRequest('route', null)
  app.decorateRequest('quota', null)
  app.decorateRequest('limiter', null)

  /** Before anything is refused, so that the response has them too. */
  const setHeaders = (request: FastifyRequest, reply: FastifyReply): void => {
    const { headers, cors } = request.route?.edge ?? edge
    reply
      .headers(createRequestHeaders(request))
      .headers((request.route?.cors ?? cors).createHeaders(request.headers))
      .headers(headers)
  }
  const sendError = (cause: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const { renderError } = request.route?.edge ?? edge
    const { status, headers, mediaType, body } = renderError(toHttpError(cause), request as Request)
    if (status === 500) {
      const { id: requestId, method } = request
      logger.error({ error: cause, requestId, method }, 'failed to answer')
    }
    return reply
      .code(status)
      .headers({ ...NO_STORE, ...headers })
      .header('content-type', mediaType)
      .send(body)
  }
  /** Of a method without a handler. Returns the error unless it is OPTIONS. */
  const answerOther = (request: FastifyRequest, reply: FastifyReply): Error | undefined => {
    const { route, method } = request
    if (!route) {
      const path = decodePath(request.url)
      return new HttpError('notFound', `This service has no resource at ${path}.`)
    }
    const allow = [...listMethods(route), 'OPTIONS'].join(', ')
    if (method !== 'OPTIONS') return methodNotAllowed(method, allow)
    const preflight = (route.cors ?? route.edge.cors).createPreflight(allow)
    reply
      .code(204)
      .headers({ allow, ...preflight })
      .send()
    return undefined
  }

  app.addHook('onRequest', (request: Request, reply, done) => {
    const { config } = request.routeOptions
    request.route = config.route ?? app.routeTable.find(decodePath(request.url)) ?? null
    const end = (refusal: Error | undefined): void => {
      setHeaders(request, reply)
      const error =
        refusal ??
        findRefusal(request.raw) ??
        (request.route?.edge ?? edge).findRefusal?.(request) ??
        (request.is404 ? answerOther(request, reply) : undefined)
      if (error || !reply.sent) done(error)
    }
    const admitted = admit(request)
    if (admitted instanceof Promise) admitted.then(end, end)
    else end(admitted)
  })
  app.setErrorHandler(sendError)
  if (onAnswer) {
    app.addHook('onSend', (request, reply, _payload, done) => {
      onAnswer(request, reply.statusCode)
      done()
    })
  }
  return {
    /** For requests that the framework refuses before its hooks run. */
    refuse: (error: Error, request: FastifyRequest, reply: FastifyReply): void => {
      setHeaders(request, reply)
      void sendError(error, request, reply)
      onAnswer?.(request, reply.statusCode)
    },
  }
}
