// All settings of Rollcall by who needs them, the settings of one machine, and variables that are almost the name of a setting.
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

/** `setting` is the setting that is meant. */
export type UnusedVariable = { variable: string; setting: string }

const NAMES = SETTINGS.flatMap(({ settings }) => settings.map(({ env }) => env))

/** Letter case and underscores do not count. */
const simplify = (name: string): string => name.toUpperCase().replace(/[^A-Z0-9]/g, '')

/** Whether at most `most` letters are inserted, missing, wrong or swapped. */
export function isNear(one: string, other: string, most: number): boolean {
  let same = 0
  while (same < one.length && one[same] === other[same]) same++
  const [a, b] = [one.slice(same), other.slice(same)]
  if (a === '' && b === '') return true
  if (most === 0) return false
  const isSwapped = a.length > 1 && a[0] === b[1] && a[1] === b[0]
  return (
    isNear(a.slice(1), b, most - 1) ||
    isNear(a, b.slice(1), most - 1) ||
    isNear(a.slice(1), b.slice(1), most - 1) ||
    (isSwapped && isNear(a.slice(2), b.slice(2), most - 1))
  )
}

/** In short names such as PORT or HOST, two letters are most of the name: HOME and PATH are no mistakes. */
const SHORT_NAME = 6

const findSimilar = (variable: string): string | undefined => {
  const simple = simplify(variable)
  const near = (most: number) => (name: string) => isNear(simple, simplify(name), most)
  return NAMES.find(near(1)) ?? NAMES.filter(({ length }) => length > SHORT_NAME).find(near(2))
}

/** Names only: the value of a mistyped setting may be a secret. */
export function findUnusedVariables(env: Environment): UnusedVariable[] {
  return Object.keys(env)
    .filter((variable) => env[variable] !== undefined && !NAMES.includes(variable))
    .flatMap((variable) => {
      const setting = findSimilar(variable)
      return setting === undefined ? [] : [{ variable, setting }]
    })
}

export function unusedVariableText({ variable, setting }: UnusedVariable): string {
  return `${variable} is not a setting and has no effect; is it meant to be ${setting}?`
}
