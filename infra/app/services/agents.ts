// Where a service of its own finds the log of agents: on Kafka where that is set, else in the data directory that it shares
// with the others. The keys lie in the data directory, or in AUTH_KEYS.
import { existsSync } from 'node:fs'
import { openEmbeddedLog } from '../../log/embedded-log.ts'
import type { EventLog } from '../../log/event-log.ts'
import { usesKafka } from '../../log/kafka-settings.ts'
import { openKafkaSharedLog } from '../../log/kafka-shared-log.ts'
import { type Environment, readConfig } from '../../runtime/config.ts'
import { hasCode } from '../../runtime/errors.ts'
import type { Lifecycle } from '../../runtime/lifecycle.ts'
import type { Logger } from '../../runtime/logger.ts'
import { authPathsIn } from '../data-dir/data-dir.ts'
import { readTogether } from '../supervisor/read-together.ts'
import { machineSettings } from '../supervisor/settings.ts'
import { type Deployment, readDeployment } from './deployment.ts'

const { dataDir } = machineSettings

/** `deployment` where the log is on Kafka. */
export type AgentsPlace = { dataDir: string; deployment: Deployment | undefined }
export type Agents = { log: EventLog; keysPath: string }
type Surroundings = { logger: Logger; lifecycle: Pick<Lifecycle, 'fail'> }

export const readAgentsPlace = (env: Environment): AgentsPlace => {
  const { place, deployment } = readTogether({
    place: () => readConfig({ dataDir }, env),
    deployment: () => (usesKafka(env) ? readDeployment(env) : undefined),
  })
  return { ...place, deployment }
}

/** A topic that would lose facts ends the process; brokers that are away only keep it waiting. */
export const openAgentsOnKafka = (
  deployment: Deployment,
  { logger, lifecycle }: Surroundings,
  readOnly: boolean,
): EventLog => {
  const { log, checked } = openKafkaSharedLog({
    ...{ ...deployment, subject: 'agents', logger, readOnly },
  })
  checked.catch((error: unknown) => {
    if (!hasCode(error, 'ABORTED')) lifecycle.fail(error)
  })
  return log
}

export const openAgents = async (place: AgentsPlace, parts: Surroundings): Promise<Agents> => {
  const { agentsLogPath, keysPath } = authPathsIn(place.dataDir)
  const log = place.deployment
    ? openAgentsOnKafka(place.deployment, parts, false)
    : await openEmbeddedLog({ path: agentsLogPath, shared: true })
  return { log, keysPath }
}

/** For a process that checks tokens and gives out none; undefined where no log of agents is here to follow. */
export const openAgentsForReading = async (
  place: AgentsPlace,
  parts: Surroundings,
): Promise<Agents | undefined> => {
  const { agentsLogPath, keysPath } = authPathsIn(place.dataDir)
  if (place.deployment) {
    return { log: openAgentsOnKafka(place.deployment, parts, true), keysPath }
  }
  if (!existsSync(agentsLogPath)) return undefined
  return { log: await openEmbeddedLog({ path: agentsLogPath, readOnly: true }), keysPath }
}
