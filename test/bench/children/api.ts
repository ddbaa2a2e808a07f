// Runs the api in its own process, configured as in production, with a quota that never limits.

import { readApiConfig } from '../../../api/config.ts'
import { type Api, startApi } from '../../../api/main.ts'
import { createStore, type Store } from '../../../infra/base/clickhouse/client.ts'
import type { Environment } from '../../../infra/base/runtime/config.ts'
import { createLogger } from '../../../infra/base/runtime/logger.ts'
import { createMetrics } from '../../../infra/base/runtime/metrics.ts'
import { takeOrders } from './orders.ts'
import type { StoreAccess } from './projection.ts'

/** No limit may slow down the only client. */
const BENCH_ENV = {
  PORT: '0',
  RATE_LIMIT_PER_MINUTE: '1000000000',
  MAX_CONNECTIONS_PER_ADDRESS: '10000',
}

let store: Store | undefined
let api: Api | undefined

const start = async ({ access, env }: { access: StoreAccess; env?: Environment }) => {
  store = createStore(access)
  api = await startApi({
    config: { ...readApiConfig({ ...BENCH_ENV, ...env }), maxReadsPerAddress: 64 },
    store,
    logger: createLogger({ service: 'bench', level: 'fatal' }),
    metrics: createMetrics('api'),
  })
  return { url: api.url }
}

takeOrders({ start }, async () => {
  await api?.close()
  await store?.close()
})
