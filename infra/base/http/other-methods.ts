// Answers the methods that a path has no route for: OPTIONS with 204, all others with 405. `Allow` names those of its routes.
import { METHODS } from 'node:http'
import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RouteOptions,
} from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The methods of the path; set for the routes of this file. */
    allow?: string
  }
}

export type OtherMethods = {
  /** The header fields of the response to OPTIONS, besides `Allow`. */
  optionsHeaders(request: FastifyRequest, allow: string): Record<string, string>
  /** The error of any other method. The error handler of the scope sends it, with `Allow`. */
  createError(method: string, allow: string): Error
}

type Path = { methods: Set<string>; config: FastifyContextConfig | undefined }

const OPTIONS = 'OPTIONS'
const COMMON_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** A request with CONNECT has no path. */
const RARE_METHODS = METHODS.filter(
  (method) => !COMMON_METHODS.includes(method) && method !== OPTIONS && method !== 'CONNECT',
)

const EVERY_PATH = '*'

/** Matches the paths of a route. */
export const toPattern = (url: string): RegExp =>
  new RegExp(`^${url.replace(/[.]/g, '\\.').replace(/:[^/]+/g, '[^/]+')}$`)

/**
 * Answers methods such as PROPFIND for every path of `answerOtherMethods`. Call it before the routes. One route answers all
 * of them, because a route of each path for each of 28 methods would cost some megabytes.
 */
export const answerRareMethods = (
  app: FastifyInstance,
  createError: OtherMethods['createError'],
): void => {
  const paths = new Map<string, { pattern: RegExp; allow: string }>()
  app.addHook('onRoute', ({ url, config }) => {
    if (config?.allow) paths.set(url, { pattern: toPattern(url), allow: config.allow })
  })
  for (const method of RARE_METHODS) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: false })
  }
  app.route<{ Params: { [EVERY_PATH]: string } }>({
    method: RARE_METHODS,
    url: EVERY_PATH,
    onRequest: async ({ method, params }, reply) => {
      const path = [...paths.values()].find(({ pattern }) => pattern.test(params[EVERY_PATH]))
      if (!path) return
      reply.header('allow', path.allow)
      throw createError(method, path.allow)
    },
    handler: async (_request, reply) => reply.callNotFound(),
  })
}

/** The hooks and the error handler are those of `app`, and the settings those of the first route of the path. */
const answerOthers = (
  app: FastifyInstance,
  url: string,
  { methods, config = {} }: Path,
  { optionsHeaders, createError }: OtherMethods,
): void => {
  const allow = [...[...methods].sort(), OPTIONS].join(', ')
  const add = (
    method: string | string[],
    answer: (request: FastifyRequest, reply: FastifyReply) => FastifyReply,
  ) =>
    app.route({
      method,
      url,
      config: { ...config, allow },
      exposeHeadRoute: false,
      // Before any body is read.
      onRequest: async (request, reply) => answer(request, reply.header('allow', allow)),
      handler: async () => undefined,
    } as RouteOptions)
  add(OPTIONS, (request, reply) => reply.code(204).headers(optionsHeaders(request, allow)).send())
  add(
    COMMON_METHODS.filter((method) => !methods.has(method)),
    ({ method }) => {
      throw createError(method, allow)
    },
  )
}

/** `addRoutes` adds all routes of this scope, also in scopes of its own. */
export const answerOtherMethods = (
  app: FastifyInstance,
  others: OtherMethods,
  addRoutes: () => void,
): void => {
  const paths = new Map<string, Path>()
  let isAdding = true
  app.addHook('onRoute', ({ url, method, config }) => {
    if (!isAdding) return
    const path = paths.get(url) ?? { methods: new Set(), config }
    paths.set(url, path)
    for (const each of [method].flat()) path.methods.add(each)
  })
  addRoutes()
  // Scopes are loaded in their order, so this one is after those of the routes and before any later one.
  void app.register(async (last) => {
    isAdding = false
    for (const [url, path] of paths) answerOthers(last, url, path, others)
  })
}
