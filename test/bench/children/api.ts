// The api as a process of its own, with everything on that is on in service; only its quota is out of the way.

import { readApiConfig } from '../../../api/config.ts'
import { type Api, startApi } from '../../../api/main.ts'
import { createStore, type Store } from '../../../infra/clickhouse/client.ts'
import { createLogger } from '../../../infra/runtime/logger.ts'
import { createMetrics } from '../../../infra/runtime/metrics.ts'
import { takeOrders } from './orders.ts'
import type { StoreAccess } from './projection.ts'

let store: Store | undefined
let api: Api | undefined

const start = async ({ access }: { access: StoreAccess }) => {
  store = createStore(access)
  api = await startApi({
    config: readApiConfig({ PORT: '0', RATE_LIMIT_PER_MINUTE: '1000000000' }),
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
