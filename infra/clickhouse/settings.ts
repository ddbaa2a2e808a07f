// Which ClickHouse to speak to where it is not the embedded one. Reads the environment it is given, never the process'.

import { custom, type Environment, readConfig, text } from '../runtime/config.ts'
import { AppError } from '../runtime/errors.ts'
import { clusterSetting } from './cluster-settings.ts'

const isHttpUrl = (raw: string): boolean =>
  URL.canParse(raw) && /^https?:$/.test(new URL(raw).protocol) && new URL(raw).username === ''

/** One URL, or those of all replicas of a cluster. */
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
  description:
    'HTTP interface of a ClickHouse of your own, e.g. https://clickhouse.example.org:8443; in a cluster those of all replicas, separated by commas',
} as const

export const storeSettings = {
  clickhouseUrl: custom('CLICKHOUSE_URL', httpUrls, URL_OPTIONS),
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
  /** Those of all replicas in a cluster, separated by commas. */
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
  if (cluster === undefined && storeUrls(url).length > 1) {
    throw new AppError(
      'CONFIG_INVALID',
      'CLICKHOUSE_URL names several servers: set CLICKHOUSE_CLUSTER to the name of the cluster they are replicas of',
      { expose: true },
    )
  }
  return { url, username, password: config.clickhousePassword ?? '', cluster }
}
