// `GET /api/health`: the status is 200 while the process runs.
import type { FastifyInstance } from 'fastify'
import type { ApiMetrics } from '../../api-metrics.ts'
import type { SnapshotSource } from '../../read/snapshots/snapshot-source.ts'
import { createHealth, health } from '../../resources/health.ts'
import { commonHeaders } from '../headers.ts'
import { JSON_MEDIA_TYPE } from '../list-forms.ts'

export type HealthRoute = {
  snapshots: SnapshotSource
  version: string
  baseUrl: string
  metrics: ApiMetrics
}

export const addHealthRoute = (app: FastifyInstance, options: HealthRoute): void => {
  const { operationId: operation, path } = health
  const count = options.metrics.answers(operation)
  app.get(path, { config: { operation } }, (request, reply) => {
    count(200)
    return reply
      .headers({ ...commonHeaders(request), 'cache-control': 'no-store' })
      .header('content-type', JSON_MEDIA_TYPE)
      .send(JSON.stringify(createHealth(options)))
  })
}
