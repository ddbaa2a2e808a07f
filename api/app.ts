// Builds the Fastify application of the API from hooks and routes. It does not listen.
import type { FastifyInstance } from 'fastify'
import type { Store } from '../infra/base/clickhouse/client.ts'
import { createRateLimiter, type RateLimiter } from '../infra/base/http/limits/rate-limit.ts'
import { answerOtherMethods, answerRareMethods } from '../infra/base/http/other-methods.ts'
import type { Clock } from '../infra/base/runtime/clock.ts'
import type { Logger } from '../infra/base/runtime/logger.ts'
import type { ApiMetrics } from './api-metrics.ts'
import type { ApiConfig } from './config.ts'
import { REFERENCE_ASSETS } from './discovery/reference/page.ts'
import type { DisplayUnit } from './display-unit.ts'
import { ASSETS } from './html/assets.ts'
import { refuseEveryBearer, type VerifyBearer } from './http/bearer.ts'
import { addNotFound, OTHER_METHODS } from './http/not-found.ts'
import { addProblemDetails, type ProblemOptions } from './http/problem-details.ts'
import { createRateLimitHook } from './http/rate-limit-hook.ts'
import { createResponder } from './http/responder.ts'
import { addAssets } from './http/routes/assets.ts'
import { addDocuments } from './http/routes/documents.ts'
import { addDownloads } from './http/routes/downloads.ts'
import { addFeedRoute } from './http/routes/feed.ts'
import { addHealthRoute } from './http/routes/health.ts'
import { addMcp } from './http/routes/mcp.ts'
import { createNotFoundPage } from './http/routes/not-found-page.ts'
import { addPageRoutes } from './http/routes/pages.ts'
import { addProblemTexts } from './http/routes/problems.ts'
import { addResources } from './http/routes/resources.ts'
import { addSitemap } from './http/routes/sitemap.ts'
import { addStreamRoute } from './http/routes/stream.ts'
import { addWellKnown } from './http/routes/well-known.ts'
import { createHttpServer } from './http/server.ts'
import type { ByteCache } from './read/byte-cache.ts'
import type { Reader } from './read/reader.ts'
import type { SnapshotSource } from './read/snapshots/snapshot-source.ts'
import type { StreamMetrics } from './stream/metrics.ts'

export type AppOptions = Pick<
  ApiConfig,
  | 'trustProxy'
  | 'rateLimitPerMinute'
  | 'rateLimitWithTokenPerMinute'
  | 'mcpAllowedOrigins'
  | 'securityContact'
  | 'maxListeners'
  | 'maxListenersPerAddress'
  | 'explorerTxUrl'
> & {
  /** Without a trailing slash. If it is empty, links start with a slash. */
  baseUrl: string
  /** The unit of displayed amounts; by default the chain's base unit. */
  unit?: DisplayUnit | undefined
  version: string
  store: Store
  snapshots: SnapshotSource
  reader: Reader
  memory: ByteCache
  metrics: ApiMetrics
  logger: Logger
  clock: Clock
  streamMetrics: StreamMetrics
  verifyBearer?: VerifyBearer
  /** Routes of the auth package at the same URL. They count against the same quota. */
  authPlugin?: (app: FastifyInstance) => Promise<void>
}

const addRateLimitHook = (
  app: FastifyInstance,
  options: AppOptions,
  limiter: RateLimiter,
): void => {
  const { verifyBearer = refuseEveryBearer, rateLimitPerMinute, clock } = options
  const now = () => clock.now()
  app.decorateRequest('quota', null)
  app.decorateRequest('limiter', null)
  const withToken = createRateLimiter(options.rateLimitWithTokenPerMinute, now, { name: 'token' })
  const refused = createRateLimiter(rateLimitPerMinute, now)
  app.addHook('onRequest', createRateLimitHook({ limiter, withToken, refused, verifyBearer }))
}

type AuthPlugin = NonNullable<AppOptions['authPlugin']>

/** In its own scope, which isolates its body parsers and error handlers. */
const addAuthPlugin = (app: FastifyInstance, authPlugin: AuthPlugin): void => {
  void app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, credentials: 'own' }
    })
    await authPlugin(scope)
  })
}

/** Counts problems by the requested operation. */
const createProblemCounter = (metrics: ApiMetrics): ProblemOptions['onProblem'] => {
  const counters = new Map<string, (status: number) => void>()
  return (request, status) => {
    const operation = request.routeOptions?.config?.operation ?? 'other'
    const count = counters.get(operation) ?? metrics.answers(operation)
    counters.set(operation, count)
    count(status)
  }
}

export const createApp = (options: AppOptions): FastifyInstance => {
  const { baseUrl, logger, metrics, clock, reader, memory } = options
  const problems = { baseUrl, logger, onProblem: createProblemCounter(metrics) }
  const limiter = createRateLimiter(options.rateLimitPerMinute, () => clock.now())
  const onHit = metrics.hit
  const responder = createResponder({ reader, memory, onHit })
  const { trustProxy } = options
  const app = createHttpServer({ trustProxy, problems, limiter, fastPath: { responder, onHit } })
  addProblemDetails(app, problems)
  addRateLimitHook(app, options, limiter)
  addNotFound(app, createNotFoundPage(problems, options.snapshots))
  const routes = { ...options, responder, problems }
  answerRareMethods(app, OTHER_METHODS.createError)
  answerOtherMethods(app, OTHER_METHODS, () => {
    addDocuments(app, { ...options, issuesTokens: options.verifyBearer !== undefined })
    addSitemap(app, options)
    addHealthRoute(app, options)
    addResources(app, routes)
    addDownloads(app, routes)
    addFeedRoute(app, routes)
    addPageRoutes(app, routes)
    addStreamRoute(app, options)
    addProblemTexts(app, options)
    addWellKnown(app, options)
    addAssets(app, [...ASSETS, ...REFERENCE_ASSETS], metrics.answers('asset'))
  })
  addMcp(app, options)
  if (options.authPlugin) addAuthPlugin(app, options.authPlugin)
  return app
}
