// Registration, tokens and claims as a process of their own: any number may run, each on the same log of agents.
import { apiSettings } from '../../../api/config.ts'
import { readAuthConfig } from '../../../auth/config.ts'
import { readConfig } from '../../runtime/config.ts'
import { createMetrics } from '../../runtime/metrics.ts'
import { readTogether } from '../supervisor/read-together.ts'
import { openAgents, readAgentsPlace } from './agents.ts'
import type { Service } from './service-process.ts'

const { host, port, baseUrl, trustProxy, rateLimitPerMinute, maxConnectionsPerAddress } =
  apiSettings
const listenSettings = {
  ...{ host, port, baseUrl, trustProxy },
  ...{ rateLimitPerMinute, maxConnectionsPerAddress },
}

export const authService: Service = {
  name: 'auth',
  start: async (parts) => {
    const { env, lifecycle, logger, metrics } = parts
    const settings = readTogether({
      listen: () => readConfig(listenSettings, env),
      agents: () => readAgentsPlace(env),
      auth: () => readAuthConfig(env),
    })
    // Loaded by the process that runs it alone.
    const { startAuth } = await import('../../../auth/main.ts')
    const { startAuthService } = await import('../../../auth/service.ts')
    const own = createMetrics('auth')
    metrics.push(own)
    const auth = await startAuth({
      ...{ config: settings.auth, logger, metrics: own, baseUrl: settings.listen.baseUrl },
      ...(await openAgents(settings.agents, parts)),
    })
    lifecycle.onShutdown('auth', () => auth.close())
    const service = await startAuthService({ ...settings.listen, auth, logger })
    lifecycle.onShutdown('auth server', () => service.close())
    return auth.ready
  },
}
