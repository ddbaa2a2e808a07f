// `getHealth`: 200 while the process can answer, whatever else is the matter.
import type { FastifyInstance } from 'fastify'
import type { ApiMetrics } from '../api-metrics.ts'
import { commonHeaders } from '../plugins/headers.ts'
import { healthOf } from '../queries/get-health.ts'
import type { ServedState } from '../served/served-state.ts'

export type HealthRoute = {
  state: ServedState
  version: string
  baseUrl: string
  metrics: ApiMetrics
}

export const addHealthRoute = (app: FastifyInstance, options: HealthRoute): void => {
  const { state, metrics } = options
  const answered = metrics.answers('getHealth')
  app.get('/api/health', { config: { operation: 'getHealth' } }, (request, reply) => {
    answered(200)
    const health = healthOf(state.current(), state.freshness(), options)
    return reply
      .headers({ ...commonHeaders(request), 'cache-control': 'no-store' })
      .header('content-type', 'application/json; charset=utf-8')
      .send(JSON.stringify(health))
  })
}
