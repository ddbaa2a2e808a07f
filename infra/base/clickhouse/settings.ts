// Settings of the connection to a ClickHouse server, read from the environment in the argument.
import { Type } from 'typebox'
import { type Environment, isHttpUrl, readConfig } from '../runtime/config.ts'
import { AppError } from '../runtime/errors.ts'
import { clusterSetting } from './cluster.ts'

/** One URL, or the URLs of all replicas of a cluster. */
export const storeUrls = (url: string): string[] => url.split(',').map((each) => each.trim())

const isStoreUrl = (raw: string): boolean => isHttpUrl(raw) && new URL(raw).username === ''

const parseUrls = (raw: string): string | undefined =>
  storeUrls(raw).every(isStoreUrl) ? storeUrls(raw).join(',') : undefined

export const storeSettings = Type.Object({
  clickhouseUrl: Type.Optional(
    Type.Decode(
      Type.String({
        env: 'CLICKHOUSE_URL',
        refusesEmpty: true,
        expected: 'http:// or https:// URLs without credentials in them, separated by commas',
        description:
          'HTTP URL of your own ClickHouse, e.g. https://clickhouse.example.org:8443; for a cluster the URLs of all replicas, separated by commas',
      }),
      parseUrls,
    ),
  ),
  clickhouseUsername: Type.String({
    env: 'CLICKHOUSE_USERNAME',
    default: 'default',
    refusesEmpty: true,
    description: 'User who may create databases',
  }),
  clickhousePassword: Type.Optional(
    Type.String({
      env: 'CLICKHOUSE_PASSWORD',
      secret: true,
      description: 'Password of that user',
    }),
  ),
  clickhouseCluster: clusterSetting,
})

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
