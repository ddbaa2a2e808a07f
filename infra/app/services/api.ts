// Runs the api as a separate stateless process; any number may run.
// It checks tokens only if it can follow the log of agents. Reading needs no token.
import { readApiConfig } from '../../../api/config.ts'
import { type Api, type ApiOptions, startApi } from '../../../api/main.ts'
import { readAuthConfig } from '../../../auth/config.ts'
import { createStore } from '../../base/clickhouse/client.ts'
import { readStoreAccess } from '../../base/clickhouse/settings.ts'
import { bothReady } from '../../base/http/operators.ts'
import { createMetrics } from '../../base/runtime/metrics.ts'
import { readTogether } from '../read-together.ts'
import { openAgentsForReading, readAgentsSettings } from './agents.ts'
import { requireLogin, requireStore } from './deployment.ts'
import type { Service, ServiceParts } from './service-process.ts'
import { WAKE_PATH } from './wake.ts'

/** With the action `/wake`: the projections have committed, so the checkpoint is read at once. */
export const runApi = async (
  options: Omit<ApiOptions, 'logger' | 'metrics'>,
  { lifecycle, logger, metrics, actions }: ServiceParts,
): Promise<Api> => {
  const own = createMetrics('api')
  metrics.push(own)
  const api = await startApi({ ...options, logger, metrics: own })
  lifecycle.onShutdown('api', () => api.close())
  actions.set(WAKE_PATH, api.wake)
  return api
}

const readSettings = (env: ServiceParts['env']) =>
  readTogether({
    store: () => requireStore(readStoreAccess(env)),
    api: () => readApiConfig(env),
    auth: () => readAuthConfig(env),
    agents: () => readAgentsSettings(env),
  })

/** Undefined if there is no log of agents, or no public URL as the audience of tokens. */
const startTokenCheck = async (parts: ServiceParts, settings: ReturnType<typeof readSettings>) => {
  if (settings.api.baseUrl === undefined) return undefined
  const agents = await openAgentsForReading(settings.agents, parts)
  if (!agents) return undefined
  const { auth: config, api } = settings
  // A process that checks no tokens never needs it.
  const { runAuth } = await import('./auth.ts')
  return runAuth({ ...agents, config, baseUrl: api.baseUrl, makesKeys: false }, parts)
}

export const apiService: Service = {
  name: 'api',
  start: async (parts) => {
    const { env, lifecycle, logger } = parts
    const settings = readSettings(env)
    const store = createStore({ ...settings.store, logger })
    lifecycle.onShutdown('store', () => store.close())
    await requireLogin(store, settings.store, lifecycle)
    const auth = await startTokenCheck(parts, settings)
    const tokens = auth ? { verifyBearer: auth.verifyBearer } : {}
    const api = await runApi({ config: settings.api, store, ...tokens }, parts)
    return () => (auth ? bothReady(api.ready(), auth.ready()) : api.ready())
  },
}
