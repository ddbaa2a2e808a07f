// Settings of a cluster of ClickHouse replicas: its name, and the settings of its queries.
import { custom, type Parsed } from '../runtime/config.ts'

const CLUSTER_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/

export const parseClusterName = (raw: string): Parsed<string> =>
  CLUSTER_NAME.test(raw)
    ? { ok: true, value: raw }
    : { ok: false, expected: 'a name of letters, digits and _, at most 63, no digit first' }

export const clusterSetting = custom('CLICKHOUSE_CLUSTER', parseClusterName, {
  optional: true,
  refusesEmpty: true,
  description: 'Name of a ClickHouse cluster of one shard: tables are replicated over it',
})

/** Reads on any replica see all acknowledged writes: see infra/decisions/0007. */
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
