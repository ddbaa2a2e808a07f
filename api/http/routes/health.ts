// `GET /api/health`: the status is 200 while the process runs.
import type { FastifyInstance } from 'fastify'
import { NO_STORE } from '../../../infra/base/http/headers.ts'
import { addRoutes, type Edge, type Handler } from '../../../infra/base/http/routes.ts'
import type { ApiMetrics } from '../../api-metrics.ts'
import type { SnapshotSource } from '../../read/snapshots/snapshot-source.ts'
import { createHealth, health } from '../../resources/health.ts'
import { JSON_MEDIA_TYPE } from '../list-forms.ts'

export type HealthRoute = {
  edge: Edge
  snapshots: SnapshotSource
  version: string
  baseUrl: string
  metrics: ApiMetrics
}

export const addHealthRoute = (app: FastifyInstance, options: HealthRoute): void => {
  const { operationId: operation, path } = health
  const count = options.metrics.answers(operation)
  const sendHealth: Handler = (_request, reply) => {
    count(200)
    return reply
      .headers(NO_STORE)
      .header('content-type', JSON_MEDIA_TYPE)
      .send(JSON.stringify(createHealth(options)))
  }
  addRoutes(app, options.edge, [{ path, operation, handlers: { GET: sendHealth } }])
}
