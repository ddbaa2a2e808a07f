// A cluster of ClickHouse replicas: its settings, and the variables of statements that create its tables. See
// infra/decisions/0007. Pure.
import { Type } from 'typebox'

/** At most 63 characters. */
const CLUSTER_NAME = '^[A-Za-z_][A-Za-z0-9_]{0,62}$'

export const clusterSetting = Type.Optional(
  Type.String({
    env: 'CLICKHOUSE_CLUSTER',
    pattern: CLUSTER_NAME,
    refusesEmpty: true,
    expected: 'a name of letters, digits and _, at most 63, no digit first',
    description: 'Name of a ClickHouse cluster of one shard: tables are replicated over it',
  }),
)

/** Reads on any replica see all acknowledged writes. */
export const CLUSTER_QUERY_SETTINGS = {
  insert_quorum: 'auto',
  insert_quorum_parallel: 0,
  // Less than the deadline of an insert: the error of the store has more details.
  insert_quorum_timeout: 30_000,
  select_sequential_consistency: '1',
  // A retried insert must also reach the materialized views that the first attempt did not reach.
  insert_deduplicate: 0,
  deduplicate_blocks_in_dependent_materialized_views: 1,
  // An unavailable replica catches up later, and does not delay others for long.
  distributed_ddl_task_timeout: '5',
  distributed_ddl_output_mode: 'null_status_on_timeout',
} as const

/**
 * The path in Keeper is the same on every replica, also on one that joins later: a UUID would differ there.
 * The database name contains the generation. Its number is free again only after the drop is complete.
 */
const replicaParameters = (cluster: string): string[] => [
  `'/clickhouse/tables/${cluster}/{shard}/{database}/{table}'`,
  `'{replica}'`,
]

/** The engine of every table, with the column of its version if it has one. */
const ENGINE = /\{engine\}(?:\((\w+)\))?/g

const engineText = (version: string | undefined, cluster: string | undefined): string => {
  const parameters = cluster === undefined ? [] : replicaParameters(cluster)
  if (version !== undefined) parameters.push(version)
  const name = cluster === undefined ? 'ReplacingMergeTree' : 'ReplicatedReplacingMergeTree'
  return parameters.length === 0 ? name : `${name}(${parameters.join(', ')})`
}

/** Fills `{on_cluster}`, which follows a name, and `{engine}`. On one server the former is empty. Pure. */
export const fillClusterVariables = (sql: string, cluster?: string): string =>
  sql
    .replaceAll('{on_cluster}', cluster === undefined ? '' : ` ON CLUSTER '${cluster}'`)
    .replace(ENGINE, (_, version?: string) => engineText(version, cluster))
