// Builds the Fastify application of the API from hooks and routes. It does not listen.
import type { FastifyInstance } from 'fastify'
import type { Answering } from '../infra/base/http/answering.ts'
import { addRoutes } from '../infra/base/http/routes.ts'
import { createHttpServer } from '../infra/base/http/server.ts'
import { listeningUrl } from '../infra/base/runtime/ports.ts'
import type { ApiConfig } from './config.ts'
import { REFERENCE_ASSETS } from './discovery/reference/page.tsx'
import {
  createAdmission,
  type Quotas,
  refuseEveryBearer,
  type VerifyBearer,
} from './http/admission.ts'
import { createReadEdge } from './http/edge.ts'
import { createFastPath } from './http/fast-path.ts'
import type { ApiMetrics } from './http/metrics.ts'
import { createResponder } from './http/responder.ts'
import {
  createAssetRoute,
  createDocumentRoutes,
  createSitemapRoute,
  createWellKnownRoutes,
} from './http/routes/documents.ts'
import { createDataPage, createDataRoutes, createDownloadRoutes } from './http/routes/downloads.ts'
import { createFeedRoutes } from './http/routes/feed.ts'
import { createHealthRoute } from './http/routes/health.ts'
import { addMcp } from './http/routes/mcp.ts'
import { createPageEdge, createPageRoutes } from './http/routes/pages.ts'
import { createProblemRoute } from './http/routes/problems.ts'
import { createResourceRoutes } from './http/routes/resources.ts'
import { createStreamRoute } from './http/routes/stream.ts'
import type { Service } from './http/service.ts'
import type { ByteCache } from './read/cache.ts'
import { ASSETS } from './view/assets.ts'

export type AppOptions = Omit<Service, 'getServiceUrl' | 'issuesTokens' | 'responder'> & {
  trustProxy: ApiConfig['trustProxy']
  quotas: Quotas
  memory: ByteCache
  verifyBearer?: VerifyBearer
  /** Adds the routes of the auth package at the same URL. They count against the same quota. */
  authPlugin?: (app: FastifyInstance) => Promise<void>
}

/** Responses of routes without a name are counted together if they are errors. auth counts its own. */
const createAnswerCounter =
  ({ answered }: ApiMetrics): Answering['onAnswer'] =>
  ({ route }, status) => {
    if (route?.credentials === 'own') return
    if (route?.operation !== undefined || status >= 400)
      answered(route?.operation ?? 'other', status)
  }

export const createApp = (options: AppOptions): FastifyInstance => {
  const { baseUrl, logger, metrics, reader, memory, trustProxy, quotas } = options
  const { verifyBearer = refuseEveryBearer } = options
  const { limiter, turns } = quotas
  const edge = createReadEdge(baseUrl, options.snapshots)
  const onHit = metrics.hit
  const responder = createResponder({ reader, memory, current: options.snapshots.current, onHit })
  const app = createHttpServer({
    trustProxy,
    edge,
    limiter,
    admit: createAdmission({ ...quotas, verifyBearer }),
    turns,
    createFirst: (first) =>
      createFastPath({ ...first, responder, limiter, onHit, onAnswer: metrics.answered }),
    onAnswer: createAnswerCounter(metrics),
    logger,
  })
  const getServiceUrl = () => baseUrl || listeningUrl(app.server)
  const issuesTokens = options.verifyBearer !== undefined
  const parts: Service = { ...options, responder, getServiceUrl, issuesTokens }
  addRoutes(app, edge, [
    ...createDocumentRoutes(parts),
    createSitemapRoute(parts),
    createHealthRoute(parts),
    ...createDataRoutes(parts),
    ...createResourceRoutes(parts),
    ...createDownloadRoutes(parts),
    ...createFeedRoutes(parts),
    createStreamRoute(app, parts),
    createProblemRoute(parts),
    ...createWellKnownRoutes(parts),
    ...[...ASSETS, ...REFERENCE_ASSETS].map(createAssetRoute),
  ])
  addRoutes(app, createPageEdge(edge, parts), [...createPageRoutes(parts), createDataPage(parts)])
  addMcp(app, parts)
  if (options.authPlugin) void app.register(options.authPlugin)
  return app
}
