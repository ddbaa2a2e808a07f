// The configuration files of the embedded ClickHouse: loopback only, one user with a password, memory bounded. Pure.
import { availableMemory } from '../runtime/memory.ts'
import { xmlText } from '../runtime/xml.ts'
import { type ReadOnlyUser, readersXml, sha256 } from './readers.ts'

/** Of the embedded engine alone: clients that have this name keep their connections. */
export const ENGINE_USER = 'rollcall_engine'

const KEEP_ALIVE_SECONDS = 86_400
/** Shorter, so that a client never uses a connection that the engine closes. */
export const KEPT_CONNECTION_MS = (KEEP_ALIVE_SECONDS / 2) * 1_000

const MIB = 1024 * 1024
const MIN_MEMORY_BYTES = 512 * MIB
const MAX_MEMORY_BYTES = 8192 * MIB
export const MAX_IDLE_THREADS = 32

/**
 * Lets all threads of the schedule pool run tasks of one type. Below 1, a pool of two threads runs one at a time.
 * It pauses all others, tries them again at once, and logs a warning for each: 24 a second at one block a second.
 */
const SCHEDULE_RATIO =
  '<background_schedule_pool_max_parallel_tasks_per_type_ratio>1</background_schedule_pool_max_parallel_tasks_per_type_ratio>'

/**
 * Eight files per part instead of ten. At one block a second, ten parts a second are written, and each of their files is
 * flushed to disk. Parts in the other format stay readable.
 */
const PART_FORMAT = `<write_marks_for_substreams_in_compact_parts>0</write_marks_for_substreams_in_compact_parts>
    <ratio_of_defaults_for_sparse_serialization>1</ratio_of_defaults_for_sparse_serialization>
    <serialization_info_version>basic</serialization_info_version>`

/**
 * Merges ten parts at once. By default, the engine leaves small parts at the end of such a range out. After each insert, it
 * would then merge the largest part of a table with one small part.
 */
const MERGES = `<min_parts_to_merge_at_once>10</min_parts_to_merge_at_once>
    <merge_selector_enable_heuristic_to_remove_small_parts_at_right>0</merge_selector_enable_heuristic_to_remove_small_parts_at_right>`

/** Nothing is planned by statistics of columns, which each insert would compute and each merge would write. */
const NO_STATISTICS = '<auto_statistics_types></auto_statistics_types>'

/** Reads the resident memory once a second, not twenty times: that took a third of the CPU time without queries. */
const MEMORY_WORKER = '<memory_worker_period_ms>1000</memory_worker_period_ms>'

/**
 * By default 10,000 threads may serve queries and 1,000 idle ones stay, each with three open files. These limits are above
 * what Rollcall needs: 32 connections of each process, and 8 queries of each read-only user.
 */
const THREADS = `<max_connections>512</max_connections>
  <max_concurrent_queries>128</max_concurrent_queries>
  <max_thread_pool_size>1000</max_thread_pool_size>
  <max_thread_pool_free_size>${MAX_IDLE_THREADS}</max_thread_pool_free_size>
  <thread_pool_queue_size>1000</thread_pool_queue_size>`

/** How long half a request may keep a connection: any user of the machine can send one. */
const RECEIVE_SECONDS = 10

/** Parts are small and in memory: another thread for each read would cost more than the read. */
const READ_METHOD = '<local_filesystem_read_method>pread</local_filesystem_read_method>'

/** By default a thread writes the log, and an engine that fails at its start can exit before the line that names the file. */
const SYNCHRONOUS_LOG = '<async>0</async>'

export type EngineConfig = {
  /** A loopback address. */
  host: string
  httpPort: number
  /** Without it there is no native port. */
  tcpPort?: number | undefined
  /** The directory of `users.xml` and of the log of the engine. */
  usersFile: string
  logFile: string
  memoryBytes: number
}

/** Two fifths of the memory of the machine or container: the writer and the reader need memory too. */
export const memoryLimit = (): number =>
  Math.min(MAX_MEMORY_BYTES, Math.max(MIN_MEMORY_BYTES, Math.floor(availableMemory() * 0.4)))

export const configXml = (config: EngineConfig): string => `<clickhouse>
  <listen_host>${config.host}</listen_host>
  <http_port>${config.httpPort}</http_port>
  ${config.tcpPort === undefined ? '' : `<tcp_port>${config.tcpPort}</tcp_port>`}
  <users_config>${xmlText(config.usersFile)}</users_config>
  <keep_alive_timeout>${KEEP_ALIVE_SECONDS}</keep_alive_timeout>
  <max_keep_alive_requests>1000000000</max_keep_alive_requests>
  <max_server_memory_usage>${config.memoryBytes}</max_server_memory_usage>
  <mark_cache_size>${64 * MIB}</mark_cache_size>
  <background_pool_size>4</background_pool_size>
  ${SCHEDULE_RATIO}
  ${MEMORY_WORKER}
  ${THREADS}
  <merge_tree>
    <max_suspicious_broken_parts>0</max_suspicious_broken_parts>
    <fsync_after_insert>1</fsync_after_insert>
    <fsync_part_directory>1</fsync_part_directory>
    ${MERGES}
    ${PART_FORMAT}
    ${NO_STATISTICS}
  </merge_tree>
  <log-level>warning</log-level>
  <logger>
    <log>${xmlText(config.logFile)}</log>
    <size>10M</size>
    <count>2</count>
    ${SYNCHRONOUS_LOG}
  </logger>
</clickhouse>
`

/**
 * Overrides the built-in SQL function `file`, with which every user could read every file of the engine
 * without a grant. The engine loads it from its own directory when it starts.
 */
export const FILE_FUNCTION = {
  path: ['user_defined', 'function_file.sql'],
  sql: "CREATE FUNCTION file AS (path) -> throwIf(1, 'the function file is not available')",
} as const

/**
 * `default` must exist without a password: the engine's own session logs in with this name, and only it
 * starts the listeners. That session starts before the first listener and lasts as long as the engine.
 * With a limit of one session every other login as `default` is refused, over HTTP and the native protocol.
 * The number of concurrent queries is no such limit: the engine does not count its own statement.
 */
export const usersXml = (password: string, readers: readonly ReadOnlyUser[]): string => {
  const { profiles, quotas, users } = readersXml(readers, memoryLimit())
  return `<clickhouse>
  <profiles>
    <default>
      <http_receive_timeout>${RECEIVE_SECONDS}</http_receive_timeout>
      ${READ_METHOD}
    </default>
    <engine>
      <max_memory_usage>${64 * MIB}</max_memory_usage>
      <max_sessions_for_user>1</max_sessions_for_user>
      <max_concurrent_queries_for_user>1</max_concurrent_queries_for_user>
      <constraints>
        <max_sessions_for_user><const/></max_sessions_for_user>
        <max_concurrent_queries_for_user><const/></max_concurrent_queries_for_user>
      </constraints>
    </engine>${profiles}
  </profiles>
  <quotas><default/>${quotas}</quotas>
  <users>
    <default>
      <no_password/>
      <networks><ip>127.0.0.1</ip></networks>
      <profile>engine</profile>
      <quota>default</quota>
      <grants>
        <query>GRANT SYSTEM LISTEN ON *.*</query>
        <query>GRANT CREATE TEMPORARY TABLE ON *.*</query>
      </grants>
    </default>
    <${ENGINE_USER}>
      <password_sha256_hex>${sha256(password)}</password_sha256_hex>
      <networks><ip>127.0.0.1</ip></networks>
      <profile>default</profile>
      <quota>default</quota>
      <access_management>1</access_management>
    </${ENGINE_USER}>${users}
  </users>
</clickhouse>
`
}
