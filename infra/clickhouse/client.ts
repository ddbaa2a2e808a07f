// The one way to talk to ClickHouse, embedded or not: rows in, rows out, over HTTP. The only importer of `@clickhouse/client`.
import { Readable } from 'node:stream'
import {
  type ClickHouseClient,
  ClickHouseError,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient,
} from '@clickhouse/client'
import { abortedError } from '../runtime/abort.ts'
import { AppError } from '../runtime/errors.ts'
import type { Logger } from '../runtime/logger.ts'
import { withDeadline } from '../runtime/retry.ts'
import { clusterDdl } from './cluster-ddl.ts'
import { CLUSTER_QUERY_SETTINGS } from './cluster-settings.ts'
import { encodeRows } from './encode-rows.ts'

type CallOptions = { signal?: AbortSignal; timeoutMs?: number }
type SelectOptions = CallOptions & { settings?: Readonly<Record<string, string | number>> }

export type Store = {
  /** Synchronous; all rows or an error. `table` is qualified; bigints are sent as strings. */
  insert(table: string, rows: readonly object[], options?: CallOptions): Promise<void>
  /**
   * `params` fill `{name:Type}` placeholders. Integers of 64 bits and more and decimals come back as
   * strings, times as `2026-11-21 08:00:00.000` in the column's zone.
   */
  select<Row>(
    sql: string,
    params?: Readonly<Record<string, unknown>>,
    options?: SelectOptions,
  ): Promise<Row[]>
  /** The whole answer's own bytes, in the format that `sql` names; held in memory, so for answers that are bounded. */
  selectBytes(
    sql: string,
    params?: Readonly<Record<string, unknown>>,
    options?: SelectOptions,
  ): Promise<Buffer>
  /**
   * The same, as they come. The deadline is that of the first one: a failure midway
   * only cuts them off, so the caller must know when they are whole.
   */
  stream(
    sql: string,
    params?: Readonly<Record<string, unknown>>,
    options?: SelectOptions,
  ): Promise<Readable>
  /** A statement without an answer, such as DDL; in a cluster it is made to reach every replica. */
  command(sql: string, options?: CallOptions): Promise<void>
  /** Whether the store answers, with these credentials. Never rejects. */
  ping(): Promise<boolean>
  /** Ends every idle connection at once. */
  close(): Promise<void>
}

export type StoreOptions = {
  url: string
  username: string
  password: string
  /** Of replicas; a single server where absent. */
  cluster?: string | undefined
  log?: Logger
}

const INSERT_TIMEOUT_MS = 60_000
const SELECT_TIMEOUT_MS = 30_000
const STREAM_TIMEOUT_MS = 120_000
const COMMAND_TIMEOUT_MS = 60_000
const PING_TIMEOUT_MS = 2_000
export const MAX_STORE_CONNECTIONS = 32

const SETTINGS: ClickHouseSettings = {
  async_insert: 0,
  date_time_input_format: 'best_effort',
  // A row that does not fit must fail, not lose a field or turn NULL into 0.
  input_format_skip_unknown_fields: 0,
  input_format_null_as_default: 0,
  output_format_json_quote_64bit_integers: 1,
  output_format_json_quote_decimals: 1,
}

const CLUSTER_SETTINGS = { ...SETTINGS, ...CLUSTER_QUERY_SETTINGS }

/** Answers of a server that is busy, starting or short of something for now. */
const TRANSIENT_CODES: readonly string[] = [
  '159', // TIMEOUT_EXCEEDED
  '198', // DNS_ERROR
  '202', // TOO_MANY_SIMULTANEOUS_QUERIES
  '209', // SOCKET_TIMEOUT
  '210', // NETWORK_ERROR
  '236', // ABORTED
  '241', // MEMORY_LIMIT_EXCEEDED
  '242', // TABLE_IS_READ_ONLY
  '243', // NOT_ENOUGH_SPACE
  '252', // TOO_MANY_PARTS
  '279', // ALL_CONNECTION_TRIES_FAILED
  '285', // TOO_FEW_LIVE_REPLICAS
  '286', // UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE
  '289', // REPLICA_IS_NOT_IN_QUORUM
  '319', // UNKNOWN_STATUS_OF_INSERT
  '394', // QUERY_WAS_CANCELLED
  '999', // KEEPER_EXCEPTION
]

/** Answers of a server that cannot store a value of the rows it was sent: any other row, it takes. */
const ROW_CODES: readonly string[] = [
  '6', // CANNOT_PARSE_TEXT
  '25', // CANNOT_PARSE_ESCAPE_SEQUENCE
  '26', // CANNOT_PARSE_QUOTED_STRING
  '27', // CANNOT_PARSE_INPUT_ASSERTION_FAILED
  '38', // CANNOT_PARSE_DATE
  '41', // CANNOT_PARSE_DATETIME
  '53', // TYPE_MISMATCH
  '69', // ARGUMENT_OUT_OF_BOUND
  '70', // CANNOT_CONVERT_TYPE
  '72', // CANNOT_PARSE_NUMBER
  '117', // INCORRECT_DATA
  '130', // CANNOT_READ_ARRAY_FROM_TEXT
  '131', // TOO_LARGE_STRING_SIZE
  '321', // VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE
  '349', // CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN
  '407', // DECIMAL_OVERFLOW
  '467', // CANNOT_PARSE_BOOL
  '469', // VIOLATED_CONSTRAINT
]
/** The same code as for wrong data, but then the table is another one: no row would be taken. */
const OTHER_TABLE = 'Unknown field'

/** True where an insert failed by what one of its rows holds, and not by the table or the store. */
export const isRefusedRow = (error: unknown): boolean => {
  if (!(error instanceof AppError) || !(error.cause instanceof ClickHouseError)) return false
  const { code, message } = error.cause
  return ROW_CODES.includes(code) && !message.includes(OTHER_TABLE)
}

const storeError = (cause: unknown): AppError => {
  if (cause instanceof AppError) return cause
  const message = cause instanceof Error ? cause.message : String(cause)
  if (cause instanceof ClickHouseError && !TRANSIENT_CODES.includes(cause.code)) {
    return new AppError('STORE_REFUSED', `the store refused (${cause.type}): ${message}`, { cause })
  }
  return new AppError('STORE_UNAVAILABLE', `the store did not answer: ${message}`, {
    retryable: true,
    cause,
  })
}

/** Runs one call under its deadline; the server is told to stop when the caller has left. */
const call = async <T>(
  { signal, timeoutMs }: CallOptions & { timeoutMs: number },
  operation: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  try {
    return await withDeadline(timeoutMs, signal, operation)
  } catch (error) {
    throw signal?.aborted ? abortedError(signal) : storeError(error)
  }
}

const insertRows = async (client: ClickHouseClient, table: string, rows: readonly object[]) => {
  const { stream } = await client.exec({
    query: `INSERT INTO ${table} FORMAT JSONEachRow`,
    values: Readable.from(encodeRows(rows), { objectMode: false }),
  })
  // The connection is free again only when the (empty) answer was read.
  for await (const _ of stream);
}

type Question = {
  query: string
  query_params: Readonly<Record<string, unknown>>
  abort_signal: AbortSignal
  clickhouse_settings: ClickHouseSettings
}

/** Puts one question; `read` takes the whole answer in under the same deadline. */
const ask = <Answer>(
  query: string,
  params: Readonly<Record<string, unknown>>,
  { signal, timeoutMs = SELECT_TIMEOUT_MS, settings = {} }: SelectOptions,
  read: (question: Question) => Promise<Answer>,
): Promise<Answer> =>
  call(signal ? { signal, timeoutMs } : { timeoutMs }, (abort) =>
    read({
      query,
      query_params: params,
      abort_signal: abort,
      clickhouse_settings: { ...settings, cancel_http_readonly_queries_on_client_close: 1 },
    }),
  )

/**
 * A failure midway can only cut bytes off: the status line must tell, so the answer waits for its end.
 * Without a buffer of its own it would wait in a file; what is larger still does.
 */
const WHOLE = { wait_end_of_query: 1, http_response_buffer_size: 4 * 1_024 * 1_024 } as const

export const createStore = ({ url, username, password, cluster, log }: StoreOptions): Store => {
  const client = createClient({
    url,
    username,
    password,
    application: 'rollcall',
    max_open_connections: MAX_STORE_CONNECTIONS,
    // Every call has its own deadline.
    request_timeout: 24 * 60 * 60 * 1000,
    keep_alive: { enabled: true, idle_socket_ttl: 2_000 },
    clickhouse_settings: cluster === undefined ? SETTINGS : CLUSTER_SETTINGS,
    use_multipart_params_auto: true,
    // Whoever gets the error logs it.
    log: { level: ClickHouseLogLevel.OFF },
  })
  return {
    insert: async (table, rows, { signal, timeoutMs = INSERT_TIMEOUT_MS } = {}) => {
      if (rows.length === 0) return
      const options = signal ? { signal, timeoutMs } : { timeoutMs }
      await call(options, () => insertRows(client, table, rows))
    },
    select: <Row>(query: string, params = {}, options = {}) =>
      ask(query, params, options, async (question) => {
        const result = await client.query({ ...question, format: 'JSONEachRow' })
        return await result.json<Row>()
      }),
    selectBytes: (query, params = {}, { settings, ...options } = {}) => {
      const whole = { ...options, settings: { ...settings, ...WHOLE } }
      return ask(query, params, whole, async (question) => {
        const { stream } = await client.exec(question)
        return Buffer.concat(await stream.toArray())
      })
    },
    stream: async (
      query,
      params = {},
      { signal, timeoutMs = STREAM_TIMEOUT_MS, settings } = {},
    ) => {
      const { stream } = await call(signal ? { signal, timeoutMs } : { timeoutMs }, () =>
        client.exec({
          query,
          query_params: params,
          ...(signal ? { abort_signal: signal } : {}),
          clickhouse_settings: { ...settings, cancel_http_readonly_queries_on_client_close: 1 },
        }),
      )
      return stream
    },
    command: async (sql, { signal, timeoutMs = COMMAND_TIMEOUT_MS } = {}) => {
      const query = cluster === undefined ? sql : clusterDdl(sql, cluster)
      const options = signal ? { signal, timeoutMs } : { timeoutMs }
      await call(options, (abort) => client.command({ query, abort_signal: abort }))
    },
    ping: async () => {
      try {
        const options = { timeoutMs: PING_TIMEOUT_MS }
        await call(options, (abort) => client.command({ query: 'SELECT 1', abort_signal: abort }))
        return true
      } catch (error) {
        log?.debug({ error }, 'failed to reach the store')
        return false
      }
    },
    close: () => client.close(),
  }
}
