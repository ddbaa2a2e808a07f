// Runs auth as a separate process; any number may run, all on the same log of agents.
import { Type } from 'typebox'
import { limitSettings, listenSettings, publicSettings } from '../../../api/config.ts'
import { readAuthConfig } from '../../../auth/config.ts'
import { type Auth, type AuthOptions, startAuth } from '../../../auth/main.ts'
import { readConfig } from '../../base/runtime/config.ts'
import { createMetrics } from '../../base/runtime/metrics.ts'
import { readTogether } from '../read-together.ts'
import { openAgents, readAgentsSettings } from './agents.ts'
import type { Host, Service } from './service-process.ts'

export const runAuth = async (
  options: Omit<AuthOptions, 'logger' | 'metrics'>,
  { lifecycle, logger, metrics }: Host,
): Promise<Auth> => {
  const own = createMetrics('auth')
  metrics.push(own)
  const auth = await startAuth({ ...options, logger, metrics: own })
  lifecycle.onShutdown('auth', () => auth.close())
  // A process that only checks tokens never needs them.
  if (options.makesKeys !== false) void auth.fetchIssuerKeys()
  return auth
}

const ownListenSettings = Type.Object({
  ...listenSettings.properties,
  ...Type.Pick(publicSettings, ['trustProxy']).properties,
  ...Type.Pick(limitSettings, ['rateLimitPerMinute', 'maxConnectionsPerAddress']).properties,
})

export const authService: Service = {
  name: 'auth',
  start: async (parts) => {
    const { env, lifecycle, logger } = parts
    const settings = readTogether({
      listen: () => readConfig(ownListenSettings, env),
      agents: () => readAgentsSettings(env),
      auth: () => readAuthConfig(env),
    })
    const agents = await openAgents(settings.agents, parts)
    const { auth: config, listen } = settings
    const auth = await runAuth({ ...agents, config, baseUrl: listen.baseUrl }, parts)
    // Only the process of this service loads the module.
    const { startAuthService } = await import('../../../auth/service.ts')
    const service = await startAuthService({ ...listen, auth, logger })
    lifecycle.onShutdown('auth server', () => service.close())
    return auth.ready
  },
}
