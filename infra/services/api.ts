// The api as a process of its own: reads the store, owns nothing; any number may run.
import { readApiConfig } from '../../api/config.ts'
import { createStore } from '../clickhouse/client.ts'
import { readStoreAccess } from '../clickhouse/settings.ts'
import { createMetrics } from '../runtime/metrics.ts'
import { readTogether } from '../supervisor/read-together.ts'
import { requireStore } from './connections.ts'
import type { Service } from './service-process.ts'

export const apiService: Service = {
  name: 'api',
  start: async ({ env, lifecycle, logger, metrics }) => {
    const settings = readTogether({
      store: () => requireStore(readStoreAccess(env)),
      api: () => readApiConfig(env),
    })
    // Loaded by the process that runs it alone.
    const { startApi } = await import('../../api/main.ts')
    const store = createStore({ ...settings.store, log: logger })
    lifecycle.onShutdown('store', () => store.close())
    const own = createMetrics('api')
    metrics.push(own)
    const api = await startApi({ config: settings.api, store, logger, metrics: own })
    lifecycle.onShutdown('api', () => api.close())
    return api.ready
  },
}
