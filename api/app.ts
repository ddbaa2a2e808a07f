// Builds the Fastify application of the API from hooks and routes. It does not listen.
import type { FastifyInstance } from 'fastify'
import type { Store } from '../infra/base/clickhouse/client.ts'
import { createRateLimiter, type RateLimiter } from '../infra/base/http/limits/rate-limit.ts'
import type { Answering } from '../infra/base/http/routes.ts'
import { createHttpServer } from '../infra/base/http/server.ts'
import type { Clock } from '../infra/base/runtime/clock.ts'
import type { Logger } from '../infra/base/runtime/logger.ts'
import type { ApiMetrics } from './api-metrics.ts'
import type { ApiConfig } from './config.ts'
import { REFERENCE_ASSETS } from './discovery/reference/page.ts'
import type { DisplayUnit } from './display-unit.ts'
import { ASSETS } from './html/assets.ts'
import { createAdmission } from './http/admission.ts'
import { refuseEveryBearer, type VerifyBearer } from './http/bearer.ts'
import { createReadEdge } from './http/edge.ts'
import { createFastPath } from './http/fast-path.ts'
import type { ProblemOptions } from './http/problem-details.ts'
import { createResponder } from './http/responder.ts'
import { addAssets } from './http/routes/assets.ts'
import { addDocuments } from './http/routes/documents.ts'
import { addDownloads } from './http/routes/downloads.ts'
import { addFeedRoute } from './http/routes/feed.ts'
import { addHealthRoute } from './http/routes/health.ts'
import { addMcp } from './http/routes/mcp.ts'
import { addPageRoutes } from './http/routes/pages.ts'
import { addProblemTexts } from './http/routes/problems.ts'
import { addResources } from './http/routes/resources.ts'
import { addSitemap } from './http/routes/sitemap.ts'
import { addStreamRoute } from './http/routes/stream.ts'
import { addWellKnown } from './http/routes/well-known.ts'
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
  /** Adds the routes of the auth package at the same URL. They count against the same quota. */
  authPlugin?: (app: FastifyInstance) => Promise<void>
}

const createAdmissionFor = (options: AppOptions, limiter: RateLimiter): Answering['admit'] => {
  const { verifyBearer = refuseEveryBearer, rateLimitPerMinute, clock } = options
  const now = () => clock.now()
  return createAdmission({
    limiter,
    withToken: createRateLimiter(options.rateLimitWithTokenPerMinute, now, { name: 'token' }),
    refused: createRateLimiter(rateLimitPerMinute, now),
    verifyBearer,
  })
}

/** Counts problems by the requested operation. */
const createProblemCounter = (metrics: ApiMetrics): ProblemOptions['onProblem'] => {
  const counters = new Map<string, (status: number) => void>()
  return (request, status) => {
    const operation = request.route?.operation ?? 'other'
    const count = counters.get(operation) ?? metrics.answers(operation)
    counters.set(operation, count)
    count(status)
  }
}

export const createApp = (options: AppOptions): FastifyInstance => {
  const { baseUrl, logger, metrics, clock, reader, memory, trustProxy } = options
  const problems = { baseUrl, onProblem: createProblemCounter(metrics) }
  const edge = createReadEdge(problems, options.snapshots)
  const limiter = createRateLimiter(options.rateLimitPerMinute, () => clock.now())
  const onHit = metrics.hit
  const responder = createResponder({ reader, memory, onHit })
  const app = createHttpServer({
    trustProxy,
    edge,
    limiter,
    admit: createAdmissionFor(options, limiter),
    createFirst: (nextRequestId) => createFastPath({ responder, limiter, nextRequestId, onHit }),
    logger,
  })
  const routes = { ...options, edge, responder, problems }
  addDocuments(app, { ...routes, issuesTokens: options.verifyBearer !== undefined })
  addSitemap(app, routes)
  addHealthRoute(app, routes)
  addResources(app, routes)
  addDownloads(app, routes)
  addFeedRoute(app, routes)
  addPageRoutes(app, routes)
  addStreamRoute(app, routes)
  addProblemTexts(app, routes)
  addWellKnown(app, routes)
  const assets = [...ASSETS, ...REFERENCE_ASSETS]
  addAssets(app, { edge, assets, count: metrics.answers('asset') })
  addMcp(app, options)
  if (options.authPlugin) void app.register(options.authPlugin)
  return app
}
