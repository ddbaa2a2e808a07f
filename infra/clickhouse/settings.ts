// Which ClickHouse to speak to where it is not the embedded one. Reads the environment it is given, never the process'.
import { custom, type Environment, readConfig, text } from '../runtime/config.ts'
import { clusterSetting } from './cluster-settings.ts'

const httpUrl = (raw: string) => {
  const isHttp = URL.canParse(raw) && /^https?:$/.test(new URL(raw).protocol)
  return isHttp && new URL(raw).username === ''
    ? { ok: true as const, value: raw }
    : { ok: false as const, expected: 'an http:// or https:// URL without credentials in it' }
}

const URL_OPTIONS = {
  optional: true,
  description:
    'HTTP interface of a ClickHouse of your own, e.g. https://clickhouse.example.org:8443',
} as const

export const storeSettings = {
  clickhouseUrl: custom('CLICKHOUSE_URL', httpUrl, URL_OPTIONS),
  clickhouseUsername: text('CLICKHOUSE_USERNAME', {
    default: 'default',
    description: 'Its user, who may create databases',
  }),
  clickhousePassword: text('CLICKHOUSE_PASSWORD', {
    optional: true,
    secret: true,
    description: 'The password of that user',
  }),
  clickhouseCluster: clusterSetting,
} as const

export type StoreAccess = {
  url: string
  username: string
  password: string
  /** The cluster over which tables are replicated; a single server where absent. */
  cluster?: string | undefined
}

/** Undefined where no ClickHouse of one's own is set. */
export const readStoreAccess = (env: Environment): StoreAccess | undefined => {
  const config = readConfig(storeSettings, env)
  if (config.clickhouseUrl === undefined) return undefined
  const { clickhouseUrl: url, clickhouseUsername: username, clickhouseCluster: cluster } = config
  return { url, username, password: config.clickhousePassword ?? '', cluster }
}
