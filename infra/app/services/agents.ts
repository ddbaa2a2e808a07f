// Opens the log of agents of a service: on Kafka if configured, else in the data directory.
// The keys are in the data directory or in AUTH_KEYS.
import { existsSync } from 'node:fs'
import { openEmbeddedLog } from '../../base/log/embedded-log.ts'
import type { EventLog } from '../../base/log/event-log.ts'
import { usesKafka } from '../../base/log/kafka-settings.ts'
import type { Environment } from '../../base/runtime/config.ts'
import type { Lifecycle } from '../../base/runtime/lifecycle.ts'
import type { Logger } from '../../base/runtime/logger.ts'
import { resolveAuthPaths } from '../data-dir/data-dir.ts'
import { readDataDir } from '../machine-settings.ts'
import { readTogether } from '../read-together.ts'
import { type Deployment, readDeployment } from './deployment.ts'

/** `deployment` if the log is on Kafka. */
export type AgentsSettings = { dataDir: string; deployment: Deployment | undefined }
export type Agents = { log: EventLog; keysPath: string }
type AgentsContext = { logger: Logger; lifecycle: Pick<Lifecycle, 'fail'> }

export const readAgentsSettings = (env: Environment): AgentsSettings => {
  return readTogether({
    dataDir: () => readDataDir(env),
    deployment: () => (usesKafka(env) ? readDeployment(env) : undefined),
  })
}

export const openAgents = async (
  settings: AgentsSettings,
  parts: AgentsContext,
): Promise<Agents> => {
  const { agentsLogPath, keysPath } = resolveAuthPaths(settings.dataDir)
  if (settings.deployment) {
    const { openAgentsOnKafka } = await import('./kafka.ts')
    return { log: openAgentsOnKafka(settings.deployment, parts, false), keysPath }
  }
  return { log: await openEmbeddedLog({ path: agentsLogPath, shared: true }), keysPath }
}

/** For a process that only checks tokens; undefined if there is no log of agents. */
export const openAgentsForReading = async (
  settings: AgentsSettings,
  parts: AgentsContext,
): Promise<Agents | undefined> => {
  const { agentsLogPath, keysPath } = resolveAuthPaths(settings.dataDir)
  if (settings.deployment) {
    const { openAgentsOnKafka } = await import('./kafka.ts')
    return { log: openAgentsOnKafka(settings.deployment, parts, true), keysPath }
  }
  if (!existsSync(agentsLogPath)) return undefined
  return { log: await openEmbeddedLog({ path: agentsLogPath, readOnly: true }), keysPath }
}
