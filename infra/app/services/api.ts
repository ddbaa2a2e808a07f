// Runs the api as a separate stateless process; any number may run.
// It checks tokens only if it can follow the log of agents. Reading needs no token.
import { readApiConfig } from '../../../api/config.ts'
import { readAuthConfig } from '../../../auth/config.ts'
import { createStore } from '../../base/clickhouse/client.ts'
import { readStoreAccess } from '../../base/clickhouse/settings.ts'
import { bothReady } from '../../base/runtime/operators-server.ts'
import { readTogether } from '../supervisor/read-together.ts'
import { openAgentsForReading, readAgentsSettings } from './agents.ts'
import { requireLogin, requireStore } from './connections.ts'
import type { Service, ServiceParts } from './service-process.ts'
import { runApi, runAuth } from './wiring.ts'

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
