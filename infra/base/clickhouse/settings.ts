// Settings of the connection to a ClickHouse server, read from the environment in the argument.

import { custom, type Environment, readConfig, text } from '../runtime/config.ts'
import { AppError } from '../runtime/errors.ts'
import { clusterSetting } from './cluster.ts'

const isHttpUrl = (raw: string): boolean =>
  URL.canParse(raw) && /^https?:$/.test(new URL(raw).protocol) && new URL(raw).username === ''

/** One URL, or the URLs of all replicas of a cluster. */
export const storeUrls = (url: string): string[] => url.split(',').map((each) => each.trim())

const httpUrls = (raw: string) =>
  storeUrls(raw).every(isHttpUrl)
    ? { ok: true as const, value: storeUrls(raw).join(',') }
    : {
        ok: false as const,
        expected: 'http:// or https:// URLs without credentials in them, separated by commas',
      }

const URL_OPTIONS = {
  optional: true,
  refusesEmpty: true,
  description:
    'HTTP URL of your own ClickHouse, e.g. https://clickhouse.example.org:8443; for a cluster the URLs of all replicas, separated by commas',
} as const

export const storeSettings = {
  clickhouseUrl: custom('CLICKHOUSE_URL', httpUrls, URL_OPTIONS),
  clickhouseUsername: text('CLICKHOUSE_USERNAME', {
    default: 'default',
    refusesEmpty: true,
    description: 'User who may create databases',
  }),
  clickhousePassword: text('CLICKHOUSE_PASSWORD', {
    optional: true,
    secret: true,
    description: 'Password of that user',
  }),
  clickhouseCluster: clusterSetting,
} as const

export type StoreAccess = {
  /** In a cluster the URLs of all replicas, separated by commas. */
  url: string
  username: string
  password: string
  /** The cluster on which tables are replicated; absent for a single server. */
  cluster?: string | undefined
}

/** Undefined if no ClickHouse server is configured. */
export const readStoreAccess = (env: Environment): StoreAccess | undefined => {
  const config = readConfig(storeSettings, env)
  if (config.clickhouseUrl === undefined) return undefined
  const { clickhouseUrl: url, clickhouseUsername: username, clickhouseCluster: cluster } = config
  if (cluster === undefined && storeUrls(url).length > 1) {
    throw new AppError(
      'CONFIG_INVALID',
      'CLICKHOUSE_URL names several servers: set CLICKHOUSE_CLUSTER to the name of their cluster',
      { expose: true },
    )
  }
  return { url, username, password: config.clickhousePassword ?? '', cluster }
}
