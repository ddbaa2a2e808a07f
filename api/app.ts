// The API as one Fastify application: what every request passes, then the routes. Listens nowhere by itself.
import { randomBytes } from 'node:crypto'
import { METHODS, type RequestListener } from 'node:http'
import fastify, { type FastifyInstance } from 'fastify'
import type { Store } from '../infra/clickhouse/client.ts'
import type { Clock } from '../infra/runtime/clock.ts'
import { HTTP_BOUNDS, trustedProxies } from '../infra/runtime/http-service.ts'
import type { Logger } from '../infra/runtime/logger.ts'
import { createRateLimiter, type RateLimiter } from '../infra/runtime/rate-limit.ts'
import type { ApiMetrics } from './api-metrics.ts'
import { addDiscovery } from './discovery/routes.ts'
import type { DisplayUnit } from './display-unit.ts'
import { ASSETS } from './html/assets.ts'
import { addMcp } from './mcp/mcp.ts'
import { createRoundsReader } from './page-kinds/proposal-rounds.ts'
import type { ByteCache } from './pages/byte-cache.ts'
import { createHotPages, createHotPath, type HotPages } from './pages/hot-pages.ts'
import type { Pages } from './pages/pages.ts'
import { createRepresent } from './pages/representations.ts'
import { refuseEveryBearer, type VerifyBearer } from './plugins/bearer.ts'
import { addKnownPaths } from './plugins/known-paths.ts'
import {
  addProblemDetails,
  malformedRequestAnswer,
  type ProblemOptions,
  sendProblem,
} from './plugins/problem-details.ts'
import { createGate } from './plugins/quota.ts'
import { addAssets } from './routes/assets.ts'
import { addFeedRoute } from './routes/feed.ts'
import { addHealthRoute } from './routes/health.ts'
import { createNotFoundPage } from './routes/not-found-page.ts'
import { addPeoplePages } from './routes/people-pages.ts'
import { addPlainPages } from './routes/plain-pages.ts'
import { addPoolAndVoterRoutes } from './routes/pools-and-voters.ts'
import { addProposalFactRoutes } from './routes/proposal-facts.ts'
import { addProposalRoutes } from './routes/proposals.ts'
import { addStreamRoute, type StreamSettings } from './routes/stream.ts'
import type { ServedState } from './served/served-state.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation's name in metrics; paths without one are counted together. */
    operation?: string
  }
}

export type AppOptions = {
  /** Without a trailing slash; empty where links are to start with a slash. */
  baseUrl: string
  /** In what people read amounts; the chain's base unit where absent. */
  unit?: DisplayUnit | undefined
  /** How many proxies to trust; `true` for all of them. */
  trustProxy: boolean | number
  rateLimitPerMinute: number
  rateLimitWithTokenPerMinute: number
  version: string
  /** Origins of web pages that may use the MCP server besides its own. */
  mcpAllowedOrigins: readonly string[]
  store: Store
  state: ServedState
  pages: Pages
  memory: ByteCache
  metrics: ApiMetrics
  log: Logger
  clock: Clock
  stream: StreamSettings
  verifyBearer?: VerifyBearer
  /** Routes of others at the same address; they count against the same quota. */
  neighbour?: (app: FastifyInstance) => Promise<void>
}

const MAX_PARAMETER_LENGTH = 4_096

const createRequestIds = () => {
  const prefix = randomBytes(6).toString('base64url')
  let last = 0
  return () => {
    last += 1
    return `${prefix}-${last.toString(36)}`
  }
}

type Parts = {
  options: AppOptions
  problems: ProblemOptions
  limiter: RateLimiter
  nextRequestId: () => string
}

const createServer = ({ options, problems, limiter, nextRequestId }: Parts): FastifyInstance => {
  const app = fastify({
    ...HTTP_BOUNDS,
    logger: false,
    trustProxy: trustedProxies(options.trustProxy),
    genReqId: nextRequestId,
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
    frameworkErrors: (error, request, reply) => {
      request.quota = limiter.take(request.ip)
      sendProblem(error, { request, reply }, problems)
    },
    clientErrorHandler: (error, socket) => {
      if (error.code === 'ECONNRESET' || !socket.writable) return
      socket.end(malformedRequestAnswer(options.baseUrl, error.code))
    },
  })
  // Nothing here reads a body: whatever is sent is let go unread, and the method is what is refused.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => {
    payload.resume()
    done(null)
  })
  // Older runtimes do not know it. With a body it would be refused for that, before its method is.
  if (METHODS.includes('QUERY')) {
    app.addHttpMethod('QUERY', { hasBody: false, overrideExisting: true })
  }
  return app
}

/** In front of the application's own listener, which gets every request that is not answered here. */
const addHotPath = (app: FastifyInstance, parts: Parts, hotPages: HotPages): void => {
  const { limiter, nextRequestId, options } = parts
  const countHit = options.metrics.hit
  const { pages } = options
  const answer = createHotPath({ hotPages, pages, limiter, nextRequestId, countHit })
  const { server } = app
  const listeners = server.listeners('request') as RequestListener[]
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    if (answer(request, response)) return
    for (const listener of listeners) listener(request, response)
  })
}

const addGates = (app: FastifyInstance, { options, limiter }: Parts): void => {
  const { verifyBearer = refuseEveryBearer, rateLimitPerMinute, clock } = options
  const now = () => clock.now()
  app.decorateRequest('quota', null)
  app.decorateRequest('limiter', null)
  const withToken = createRateLimiter(options.rateLimitWithTokenPerMinute, now, { name: 'token' })
  const refused = createRateLimiter(rateLimitPerMinute, now)
  app.addHook('onRequest', createGate({ limiter, withToken, refused, verifyBearer }))
}

type Neighbour = NonNullable<AppOptions['neighbour']>

/** In a scope of its own: what it does about bodies and errors stays with it. */
const addNeighbour = (app: FastifyInstance, neighbour: Neighbour): void => {
  void app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, credentials: 'own' }
    })
    await neighbour(scope)
  })
}

export const createApp = (options: AppOptions): FastifyInstance => {
  const { baseUrl, log, metrics, store, pages, memory, state, version } = options
  const others = metrics.answers('other')
  const counters = new Map<string, (status: number) => void>()
  const onProblem: ProblemOptions['onProblem'] = (request, status) => {
    const operation = request.routeOptions?.config?.operation
    if (operation === undefined) return others(status)
    const count = counters.get(operation) ?? metrics.answers(operation)
    counters.set(operation, count)
    count(status)
  }
  const problems = { baseUrl, log, onProblem }
  const limiter = createRateLimiter(options.rateLimitPerMinute, () => options.clock.now())
  const hotPages = createHotPages()
  const parts = { options, problems, limiter, nextRequestId: createRequestIds() }
  const app = createServer(parts)
  addProblemDetails(app, problems)
  addGates(app, parts)
  addKnownPaths(app, createNotFoundPage(problems))
  addDiscovery(app, { baseUrl, version, issuesTokens: options.verifyBearer !== undefined })
  addHealthRoute(app, { state, version, baseUrl, metrics })
  const rounds = createRoundsReader(store)
  const represent = createRepresent(memory)
  const pageRoutes = { store, rounds, pages, baseUrl, memory, metrics, hotPages, represent }
  addProposalRoutes(app, pageRoutes)
  addProposalFactRoutes(app, pageRoutes)
  addPoolAndVoterRoutes(app, pageRoutes)
  addFeedRoute(app, pageRoutes)
  addPeoplePages(app, { ...pageRoutes, state, version, problems, unit: options.unit })
  const answered = metrics.answers('streamChanges')
  addStreamRoute(app, {
    ...options.stream,
    state,
    store,
    baseUrl,
    answered,
    clock: options.clock,
    log,
  })
  addPlainPages(app, baseUrl)
  addAssets(app, ASSETS, metrics.answers('asset'))
  addMcp(app, { ...options, rounds })
  if (options.neighbour) addNeighbour(app, options.neighbour)
  // Behind a proxy the address is not the socket's.
  if (!options.trustProxy) addHotPath(app, parts, hotPages)
  return app
}
