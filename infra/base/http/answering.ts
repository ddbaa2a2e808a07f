// Answers what no handler does: the header fields of every response, 404, 405, OPTIONS, and errors in the format of the edge.
import { METHODS } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from '../runtime/logger.ts'
import { findRefusal, HttpError, methodNotAllowed, toHttpError, tooManyWaiting } from './errors.ts'
import { NO_STORE } from './headers.ts'
import { createRequestHeaders } from './limits/rate-limit.ts'
import type { Turns } from './limits/turns.ts'
import { type AddedRoute, decodePath, type Edge, listMethods, type Request } from './routes.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The route of the path, whatever the method is; null for an unknown path. */
    route: AddedRoute | null
    /** That of the route, or of the service. */
    edge: Edge
  }
}

export type Answering = {
  /** For requests without a route. */
  edge: Edge
  /** Counts a request. Gives the error of a request that is not admitted. */
  admit(request: Request): Promise<Error | undefined> | Error | undefined
  /** A request is worked on in a turn of its client, and again when its body has arrived. */
  turns: Turns
  /** Called for every response that Fastify sends. */
  onAnswer?: ((request: FastifyRequest, status: number) => void) | undefined
  logger: Logger
}

const TOO_MANY_REQUESTS = 429

/** Before anything is refused, so that the response has them too. */
const setHeaders = (request: FastifyRequest, reply: FastifyReply): void => {
  const { route, edge } = request
  reply
    .headers(createRequestHeaders(request))
    .headers((route?.cors ?? edge.cors).createHeaders(request.headers))
    .headers(edge.headers)
}

/** OPTIONS, or the error of a method without a handler. */
const answerOther = (
  { route, edge, method, url }: FastifyRequest,
  reply: FastifyReply,
  done: (error: Error) => void,
): void => {
  if (!route) {
    done(new HttpError('notFound', `This service has no resource at ${decodePath(url)}.`))
    return
  }
  const allow = listMethods(route).join(', ')
  if (method !== 'OPTIONS') {
    done(methodNotAllowed(method, allow))
    return
  }
  const preflight = (route.cors ?? edge.cors).createPreflight(allow)
  reply
    .code(204)
    .headers({ allow, ...preflight })
    .send()
}

/** Calls `done` in a turn of the client. The request of a client that has left is dropped. */
const waitForTurn = (
  turns: Turns,
  { ip }: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
): void => {
  const turn = turns.take(ip)
  if (!turn) {
    done(tooManyWaiting())
    return
  }
  void turn.then(() => {
    if (reply.raw.destroyed) reply.hijack()
    else done()
  })
}

const createErrorHandler =
  (logger: Logger) => (cause: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const { edge, id: requestId, method } = request
    const error = toHttpError(cause)
    const { status, headers, mediaType, body } = edge.renderError(error, request as Request)
    if (status === 500) logger.error({ error, requestId, method }, 'failed to answer')
    return reply
      .code(status)
      .headers({ ...NO_STORE, ...headers, 'content-type': mediaType })
      .send(body)
  }

/** Call it once, before the routes are added. */
export const answerRequests = (app: FastifyInstance, options: Answering) => {
  const { edge: ownEdge, admit, turns, onAnswer, logger } = options
  const sendError = createErrorHandler(logger)
  // Of every method, so that a path with other ones answers 405.
  for (const method of METHODS)
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)
  for (const name of ['route', 'edge', 'quota', 'limiter']) app.decorateRequest(name, null)
  app.addHook('onRequest', (request: Request, reply, done) => {
    const { config } = request.routeOptions
    request.route = config.route ?? null
    request.edge = request.route?.edge ?? ownEdge
    const end = (refusal: Error | undefined): void => {
      setHeaders(request, reply)
      const error = refusal ?? findRefusal(request.raw) ?? request.edge.findRefusal?.(request)
      waitForTurn(turns, request, reply, (noTurn) => {
        if (error || noTurn || !(request.is404 || config.isOther)) done(error ?? noTurn)
        else answerOther(request, reply, done)
      })
    }
    const admitted = admit(request)
    if (admitted instanceof Promise) admitted.then(end, end)
    else end(admitted)
  })
  app.addHook('preHandler', (request, reply, done) => {
    if (request.body === undefined || request.body === null) done()
    else waitForTurn(turns, request, reply, done)
  })
  app.setErrorHandler(sendError)
  app.addHook('onSend', (request, reply, _payload, done) => {
    // A client over its quota keeps no connection.
    if (reply.statusCode === TOO_MANY_REQUESTS) reply.header('connection', 'close')
    onAnswer?.(request, reply.statusCode)
    done()
  })
  return {
    /** For requests that the framework refuses before its hooks run. */
    refuse: (error: Error, request: FastifyRequest, reply: FastifyReply): void => {
      request.edge = ownEdge
      setHeaders(request, reply)
      sendError(error, request, reply)
      onAnswer?.(request, reply.statusCode)
    },
  }
}
