// Checks a ClickHouse server before its first use: wrong credentials and an unfit cluster are configuration errors.
import { AppError, hasCode } from '../runtime/errors.ts'
import type { Store } from './client.ts'
import { type StoreAccess, storeUrls } from './settings.ts'

const REFUSED_LOGIN =
  /AUTHENTICATION_FAILED|Authentication failed|REQUIRED_PASSWORD|WRONG_PASSWORD|UNKNOWN_USER/

/**
 * Throws `CONFIG_INVALID` if the store rejects the login, and `STORE_UNAVAILABLE` if it does not respond.
 * Ignores any other refusal of the store: later queries report it.
 */
export const checkLogin = async (store: Store, { url, username }: StoreAccess): Promise<void> => {
  try {
    await store.select('SELECT 1 AS one')
  } catch (error) {
    if (!hasCode(error, 'STORE_REFUSED')) throw error
    if (!REFUSED_LOGIN.test(error.message)) return
    const host = storeUrls(url)
      .map((each) => new URL(each).host)
      .join(', ')
    throw new AppError(
      'CONFIG_INVALID',
      `authentication failed: ClickHouse at ${host} rejects the user "${username}" with this password; set CLICKHOUSE_USERNAME and CLICKHOUSE_PASSWORD`,
      { expose: true },
    )
  }
}

type Member = { cluster: string; shard: number }
type ClusterFacts = { cluster: string; members: readonly Member[]; macros: readonly string[] }

const NEEDED_MACROS = ['shard', 'replica']

/** Why this cluster is unusable; undefined if it is usable. */
export const clusterProblem = ({ cluster, members, macros }: ClusterFacts): string | undefined => {
  const shards = new Set(
    members.filter((each) => each.cluster === cluster).map(({ shard }) => shard),
  )
  if (shards.size === 0) {
    const known = [...new Set(members.map((member) => member.cluster))].join(', ') || 'none'
    return `the store has no cluster ${cluster}; its clusters: ${known}`
  }
  if (shards.size > 1) {
    return `the cluster ${cluster} has ${shards.size} shards; Rollcall needs one shard with all replicas`
  }
  const missing = NEEDED_MACROS.filter((macro) => !macros.includes(macro))
  if (missing.length === 0) return undefined
  return `the store's configuration has no macro ${missing.join(' and no macro ')}`
}

/** Call it before the first table is created: a table cannot become a replicated one later. */
export const refuseUnfitCluster = async (store: Store, cluster: string): Promise<void> => {
  const members = await store.select<Member>(
    'SELECT cluster, shard_num AS shard FROM system.clusters',
  )
  const macros = await store.select<{ macro: string }>('SELECT macro FROM system.macros')
  const facts = { cluster, members, macros: macros.map(({ macro }) => macro) }
  const problem = clusterProblem(facts)
  if (problem === undefined) return
  throw new AppError('CONFIG_INVALID', `CLICKHOUSE_CLUSTER: ${problem}`, { expose: true })
}
