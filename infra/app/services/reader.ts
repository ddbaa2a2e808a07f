// Runs auth and the api in one process on the log of agents of a data directory: the reader of one machine.
import { readApiConfig } from '../../../api/config.ts'
import { readAuthConfig } from '../../../auth/config.ts'
import { createStore } from '../../base/clickhouse/client.ts'
import { readStoreAccess } from '../../base/clickhouse/settings.ts'
import { bothReady } from '../../base/http/operators.ts'
import { readMachineConfig } from '../machine-settings.ts'
import { readTogether } from '../read-together.ts'
import { openAgents } from './agents.ts'
import { runApi } from './api.ts'
import { runAuth } from './auth.ts'
import { requireStore } from './deployment.ts'
import { MACHINE_STOP_BUDGET_MS, type Service } from './service-process.ts'

/** Each commit of the writer wakes it, so it polls only for rebuilds and for a silent writer. */
const WOKEN_POLL_MS = 1_000

export const readerService: Service = {
  name: 'reader',
  stopBudgetMs: MACHINE_STOP_BUDGET_MS,
  start: async (parts) => {
    const { env, lifecycle, logger } = parts
    const settings = readTogether({
      machine: () => readMachineConfig(env),
      store: () => requireStore(readStoreAccess(env)),
      auth: () => readAuthConfig(env),
      api: () => readApiConfig(env),
    })
    const { dataDir } = settings.machine
    const store = createStore({ ...settings.store, logger })
    lifecycle.onShutdown('store', () => store.close())
    const agents = await openAgents({ dataDir, deployment: undefined }, parts)
    const { baseUrl } = settings.api
    const auth = await runAuth({ ...agents, config: settings.auth, baseUrl }, parts)
    const { verifyBearer, plugin: authPlugin } = auth
    const config = { ...settings.api, pollMs: WOKEN_POLL_MS }
    const api = await runApi({ config, store, verifyBearer, authPlugin }, parts)
    return () => bothReady(api.ready(), auth.ready())
  },
}
