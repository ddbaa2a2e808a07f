// Read-only users of the embedded ClickHouse, such as an analyst, with their rights and limits. Pure.
import { createHash } from 'node:crypto'
import { xmlText } from '../runtime/xml.ts'

/** A read-only user, such as an analyst. */
export type ReadOnlyUser = {
  username: string
  password: string
  /** Readable tables: `rollcall.*`, or `rollcall.v_*` for all names with this prefix. */
  reads: readonly string[]
  limits?: Partial<ReaderLimits>
}

const MIB = 1024 * 1024

export const READER_LIMITS = {
  /** The limit of a query that asks for no other. */
  maxExecutionSeconds: 30,
  /** The highest limit that a query may ask for: Grafana asks for this with every query. */
  maxRequestedSeconds: 60,
  /** Limit of one query; all queries of a user together have twice this limit. */
  maxMemoryBytes: 1024 * MIB,
  maxResultRows: 1_000_000,
  maxResultBytes: 512 * MIB,
  maxThreads: 4,
  maxConcurrentQueries: 8,
  /** Disk limit of a query that sorts or groups. */
  maxTemporaryBytes: 2048 * MIB,
  queriesPerMinute: 300,
  queriesPerHour: 6_000,
  resultRowsPerHour: 50_000_000,
  executionSecondsPerHour: 1_800,
}

export type ReaderLimits = typeof READER_LIMITS

type Limit = {
  setting: string
  value: number
  /** The highest value that a query may set, from 1 on; absent if it may set none. */
  max?: number
}

/** The limits of one query, as settings of ClickHouse. */
export const limitSettings = (limits: ReaderLimits): Limit[] => {
  const lowerable = (setting: string, value: number) => ({ setting, value, max: value })
  const fixed = (setting: string, value: number) => ({ setting, value })
  return [
    { ...fixed('max_execution_time', limits.maxExecutionSeconds), max: limits.maxRequestedSeconds },
    lowerable('max_memory_usage', limits.maxMemoryBytes),
    fixed('max_memory_usage_for_user', 2 * limits.maxMemoryBytes),
    // A higher value would hide more memory from the limits above.
    fixed('max_untracked_memory', 4 * MIB),
    lowerable('max_result_rows', limits.maxResultRows),
    lowerable('max_result_bytes', limits.maxResultBytes),
    lowerable('max_threads', limits.maxThreads),
    fixed('max_concurrent_queries_for_user', limits.maxConcurrentQueries),
    fixed('max_temporary_data_on_disk_size_for_query', limits.maxTemporaryBytes),
    fixed('max_temporary_data_on_disk_size_for_user', limits.maxTemporaryBytes),
  ]
}

/**
 * Settings that name a file or an address, which a format then reads or writes: no grant limits them. The engine is no
 * server, so it would accept every path of its user.
 */
const PATH_SETTINGS = [
  'format_avro_schema_registry_url',
  'format_schema',
  'format_schema_source',
  'format_template_resultset',
  'format_template_row',
  'input_format_record_errors_file_path',
  'output_format_schema',
  'rename_files_after_processing',
]

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** For ClickHouse 0 means "no limit", so a limit that users may set also has a minimum. */
const constraintXml = ({ setting, max }: Pick<Limit, 'setting' | 'max'>): string =>
  max === undefined
    ? `<${setting}><const/></${setting}>`
    : `<${setting}><min>1</min><max>${max}</max></${setting}>`

/** Drivers and the page /play set formats and other settings, which `readonly` 1 would refuse. Limits have constraints. */
const profileXml = (name: string, limits: ReaderLimits): string => {
  const settings = limitSettings(limits)
  const constrained = [...settings, ...PATH_SETTINGS.map((setting) => ({ setting }))]
  return `
    <${name}>
      <readonly>2</readonly>
      ${settings.map(({ setting, value }) => `<${setting}>${value}</${setting}>`).join('')}
      <constraints>${constrained.map(constraintXml).join('')}</constraints>
    </${name}>`
}

const quotaXml = (name: string, limits: ReaderLimits): string => `
    <${name}>
      <interval><duration>60</duration><queries>${limits.queriesPerMinute}</queries></interval>
      <interval>
        <duration>3600</duration>
        <queries>${limits.queriesPerHour}</queries>
        <result_rows>${limits.resultRowsPerHour}</result_rows>
        <execution_time>${limits.executionSecondsPerHour}</execution_time>
      </interval>
    </${name}>`

const userXml = ({ username, password, reads }: ReadOnlyUser): string => `
    <${username}>
      <password_sha256_hex>${sha256(password)}</password_sha256_hex>
      <networks><ip>127.0.0.1</ip></networks>
      <profile>${username}</profile>
      <quota>${username}</quota>
      <grants>${reads.map((name) => `<query>GRANT SELECT ON ${xmlText(name)}</query>`).join('')}</grants>
    </${username}>`

const USERNAME = /^[a-z][a-z0-9_]{0,31}$/

/** The parts of `users.xml` for these users: each has a profile and a quota with its name. */
export const readersXml = (readers: readonly ReadOnlyUser[], memoryBytes: number) => {
  const known = readers.map((reader) => {
    if (!USERNAME.test(reader.username)) throw new RangeError(`${reader.username} is no user name`)
    const limits = { ...READER_LIMITS, ...reader.limits }
    // A quarter, so that no reader starves the service itself on a small machine.
    const maxMemoryBytes = Math.min(limits.maxMemoryBytes, Math.floor(memoryBytes / 4))
    return { reader, limits: { ...limits, maxMemoryBytes } }
  })
  return {
    profiles: known.map(({ reader, limits }) => profileXml(reader.username, limits)).join(''),
    quotas: known.map(({ reader, limits }) => quotaXml(reader.username, limits)).join(''),
    users: known.map(({ reader }) => userXml(reader)).join(''),
  }
}
