// Opens the log of agents of a service: on Kafka if configured, else in the data directory.
// The keys are in the data directory or in AUTH_KEYS.
import { existsSync } from 'node:fs'
import { openEmbeddedLog } from '../../base/log/embedded-log.ts'
import type { EventLog } from '../../base/log/event-log.ts'
import { usesKafka } from '../../base/log/kafka-settings.ts'
import type { Environment } from '../../base/runtime/config.ts'
import { resolveAuthPaths } from '../data-dir/data-dir.ts'
import { readDataDir } from '../machine-settings.ts'
import { readTogether } from '../read-together.ts'
import { type Deployment, readDeployment } from './deployment.ts'
import type { Host } from './service-process.ts'

/** `deployment` if the log is on Kafka. */
export type AgentsSettings = { dataDir: string; deployment: Deployment | undefined }
export type Agents = { log: EventLog; keysPath: string }

export function readAgentsSettings(env: Environment): AgentsSettings {
  return readTogether({
    dataDir: () => readDataDir(env),
    deployment: () => (usesKafka(env) ? readDeployment(env) : undefined),
  })
}

export async function openAgents(
  { dataDir, deployment }: AgentsSettings,
  host: Host,
  readOnly = false,
): Promise<Agents> {
  const { agentsLogPath: path, keysPath } = resolveAuthPaths(dataDir)
  if (deployment) {
    const { openAgentsOnKafka } = await import('./kafka.ts')
    return { log: openAgentsOnKafka(deployment, host, readOnly), keysPath }
  }
  const log = await openEmbeddedLog(readOnly ? { path, readOnly } : { path, shared: true })
  return { log, keysPath }
}

/** For a process that only checks tokens; undefined if there is no log of agents. */
export async function openAgentsForReading(
  settings: AgentsSettings,
  host: Host,
): Promise<Agents | undefined> {
  const { agentsLogPath } = resolveAuthPaths(settings.dataDir)
  if (!settings.deployment && !existsSync(agentsLogPath)) return undefined
  return await openAgents(settings, host, true)
}
