// The cluster part of a replica's configuration: coordination, names and small thread pools.

export type Member = { name: string; host: string; exchangePort: number }

export const CLUSTER = 'gov'
const MIB = 1024 * 1024

const replicaXml = ({ host }: Member): string =>
  `<replica><host>${host}</host><port>9000</port></replica>`

/** Merged over the engine's own configuration; `part-exchange.ts` listens on its interserver port. */
export const clusterXml = (
  own: Member,
  all: readonly Member[],
  zooKeeperPort: number,
): string => `<clickhouse>
  <interserver_http_host>127.0.0.1</interserver_http_host>
  <interserver_http_port>${own.exchangePort}</interserver_http_port>
  <zookeeper>
    <node><host>127.0.0.1</host><port>${zooKeeperPort}</port></node>
    <session_timeout_ms>5000</session_timeout_ms>
    <!-- The embedded engine has no UUID of its own, so all would take the same node. -->
    <sessions_path>/clickhouse/sessions/${own.name}</sessions_path>
  </zookeeper>
  <macros><shard>1</shard><replica>${own.name}</replica></macros>
  <remote_servers>
    <${CLUSTER}>
      <shard><internal_replication>true</internal_replication>${all.map(replicaXml).join('')}</shard>
    </${CLUSTER}>
  </remote_servers>
  <max_server_memory_usage replace="replace">${2048 * MIB}</max_server_memory_usage>
  <mark_cache_size replace="replace">${16 * MIB}</mark_cache_size>
  <background_pool_size replace="replace">2</background_pool_size>
  <background_fetches_pool_size>4</background_fetches_pool_size>
  <background_schedule_pool_size>8</background_schedule_pool_size>
  <merge_tree>
    <number_of_free_entries_in_pool_to_execute_mutation>1</number_of_free_entries_in_pool_to_execute_mutation>
    <number_of_free_entries_in_pool_to_lower_max_size_of_merge>1</number_of_free_entries_in_pool_to_lower_max_size_of_merge>
    <number_of_free_entries_in_pool_to_execute_optimize_entire_partition>1</number_of_free_entries_in_pool_to_execute_optimize_entire_partition>
  </merge_tree>
</clickhouse>
`
