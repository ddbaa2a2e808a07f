// All settings of Rollcall, by who needs them, and the settings of one machine.
import type { TObject } from 'typebox'
import {
  displaySettings,
  limitSettings,
  listenSettings,
  publicSettings,
  readApiConfig,
} from '../../api/config.ts'
import {
  agentSettings,
  lifetimeSettings,
  readAuthConfig,
  registrationSettings,
} from '../../auth/config.ts'
import { chainSettings, endpointSettings, readIngestConfig } from '../../ingest/config.ts'
import { readStoreAccess, storeSettings } from '../base/clickhouse/settings.ts'
import { kafkaSettings } from '../base/log/kafka-settings.ts'
import { type Environment, listSettings, type Setting } from '../base/runtime/config.ts'
import {
  demoSettings,
  engineSettings,
  processSettings,
  readMachineConfig,
  serviceEnvironment,
} from './machine-settings.ts'
import { readTogether } from './read-together.ts'

export type SettingGroup = { title: string; settings: readonly Setting[] }

const group = (title: string, ...schemas: readonly TObject[]): SettingGroup => ({
  title,
  settings: schemas.flatMap(listSettings),
})

export const SETTINGS: readonly SettingGroup[] = [
  group('for everyone', processSettings, listenSettings),
  group('for a chain of your own', chainSettings, displaySettings),
  group('for its endpoints', endpointSettings),
  group('for a public service', publicSettings),
  group('for agents and tokens', agentSettings, lifetimeSettings),
  group('limits', limitSettings, registrationSettings),
  group('for analysts on this machine', engineSettings),
  group('for a deployment with your own ClickHouse', storeSettings),
  group('for a deployment with Kafka', kafkaSettings),
  group('for the demo chain', demoSettings),
]

/** The settings of every service, or `CONFIG_INVALID` with all mistakes. */
export const readSettings = (env: Environment) => {
  const seen = serviceEnvironment(env)
  return readTogether({
    machine: () => readMachineConfig(env),
    store: () => readStoreAccess(env),
    ingest: () => readIngestConfig(seen),
    api: () => readApiConfig(seen),
    auth: () => readAuthConfig(seen),
  })
}
