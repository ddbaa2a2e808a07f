// The api as a process of its own: reads the store, owns nothing; any number may run. Checks tokens where it can follow
// the log of agents; elsewhere it takes none, and reading needs none.
import { readApiConfig } from '../../../api/config.ts'
import { readAuthConfig } from '../../../auth/config.ts'
import { createStore } from '../../clickhouse/client.ts'
import { readStoreAccess } from '../../clickhouse/settings.ts'
import { createMetrics } from '../../runtime/metrics.ts'
import { bothReady } from '../../runtime/operators-server.ts'
import { readTogether } from '../supervisor/read-together.ts'
import { openAgentsForReading, readAgentsPlace } from './agents.ts'
import { requireLogin, requireStore } from './connections.ts'
import type { Service, ServiceParts } from './service-process.ts'

const readSettings = (env: ServiceParts['env']) =>
  readTogether({
    store: () => requireStore(readStoreAccess(env)),
    api: () => readApiConfig(env),
    auth: () => readAuthConfig(env),
    agents: () => readAgentsPlace(env),
  })

/** Undefined where there is no log of agents to follow, or no name of the service that tokens could be for. */
const startTokenCheck = async (parts: ServiceParts, settings: ReturnType<typeof readSettings>) => {
  if (settings.api.baseUrl === undefined) return undefined
  const { lifecycle, logger, metrics } = parts
  const agents = await openAgentsForReading(settings.agents, parts)
  if (!agents) return undefined
  const { startAuth } = await import('../../../auth/main.ts')
  const own = createMetrics('auth')
  metrics.push(own)
  const auth = await startAuth({
    ...{ ...agents, config: settings.auth, baseUrl: settings.api.baseUrl, makesKeys: false },
    ...{ logger, metrics: own },
  })
  lifecycle.onShutdown('auth', () => auth.close())
  return auth
}

export const apiService: Service = {
  name: 'api',
  start: async (parts) => {
    const { env, lifecycle, logger, metrics } = parts
    const settings = readSettings(env)
    // Loaded by the process that runs it alone.
    const { startApi } = await import('../../../api/main.ts')
    const store = createStore({ ...settings.store, log: logger })
    lifecycle.onShutdown('store', () => store.close())
    await requireLogin(store, settings.store, lifecycle)
    const auth = await startTokenCheck(parts, settings)
    const own = createMetrics('api')
    metrics.push(own)
    const api = await startApi({
      ...{ config: settings.api, store, logger, metrics: own },
      ...(auth ? { verifyBearer: auth.verifyBearer } : {}),
    })
    lifecycle.onShutdown('api', () => api.close())
    return () => (auth ? bothReady(api.ready(), auth.ready()) : api.ready())
  },
}
