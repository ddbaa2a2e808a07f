// All settings of Rollcall, and the settings of one machine.
import { apiSettings, readApiConfig } from '../../api/config.ts'
import { authSettings, readAuthConfig } from '../../auth/config.ts'
import { ingestSettings, readIngestConfig } from '../../ingest/config.ts'
import { projectionsSettings, readProjectionsConfig } from '../../projections/config.ts'
import { readStoreAccess, storeSettings } from '../base/clickhouse/settings.ts'
import { kafkaSettings } from '../base/log/kafka-settings.ts'
import type { Environment } from '../base/runtime/config.ts'
import { machineSettings, readMachineConfig, serviceEnvironment } from './machine-settings.ts'
import { readTogether } from './read-together.ts'

/** By purpose. */
export const SETTINGS = [
  ['this machine', machineSettings],
  ['ClickHouse', storeSettings],
  ['Kafka, for separate services', kafkaSettings],
  ['ingest', ingestSettings],
  ['projections', projectionsSettings],
  ['api', apiSettings],
  ['auth', authSettings],
] as const

/** The settings of every service, or `CONFIG_INVALID` with all mistakes. */
export const readSettings = (env: Environment) => {
  const seen = serviceEnvironment(env)
  return readTogether({
    machine: () => readMachineConfig(env),
    store: () => readStoreAccess(env),
    ingest: () => readIngestConfig(seen),
    projections: () => readProjectionsConfig(seen),
    api: () => readApiConfig(seen),
    auth: () => readAuthConfig(seen),
  })
}
