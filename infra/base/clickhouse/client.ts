// The client of ClickHouse over HTTP, embedded or not. The only importer of `@clickhouse/client`.
import { Readable } from 'node:stream'
import {
  type ClickHouseClient,
  ClickHouseError,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient,
} from '@clickhouse/client'
import { abortedError } from '../runtime/abort.ts'
import { AppError, hasCode } from '../runtime/errors.ts'
import { withDeadline } from '../runtime/retry.ts'
import { CLUSTER_QUERY_SETTINGS, fillClusterVariables } from './cluster.ts'
import { ENGINE_USER, KEPT_CONNECTION_MS } from './engine-config.ts'
import {
  createReplicas,
  ONE_REPLICA_CODES,
  type Replicas,
  ROW_CODES,
  TRANSIENT_CODES,
} from './replicas.ts'
import { type StoreAccess, storeUrls } from './settings.ts'

type CallOptions = { signal?: AbortSignal | undefined; timeoutMs?: number }
type SelectOptions = CallOptions & { settings?: Readonly<Record<string, string | number>> }

export type Store = {
  /** The name of the cluster; absent for a single server. */
  cluster?: string | undefined
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
  /** The bytes of the whole response, in the format of `sql`. In memory, so only for bounded responses. */
  selectBytes(
    sql: string,
    params?: Readonly<Record<string, unknown>>,
    options?: SelectOptions,
  ): Promise<Buffer>
  /**
   * The same as a stream. The deadline is for the first byte. A later failure truncates the stream,
   * so the caller must detect its end.
   */
  stream(
    sql: string,
    params?: Readonly<Record<string, unknown>>,
    options?: SelectOptions,
  ): Promise<Readable>
  /** A statement without a result, such as DDL; in a cluster it runs on every replica. */
  command(sql: string, options?: CallOptions): Promise<void>
  /** Whether the server responds at all. Not a query, so a busy server responds too. Never rejects. */
  isResponding(timeoutMs?: number): Promise<boolean>
  /** Ends every idle connection at once. */
  close(): Promise<void>
}

const INSERT_TIMEOUT_MS = 60_000
const SELECT_TIMEOUT_MS = 30_000
const STREAM_TIMEOUT_MS = 120_000
const COMMAND_TIMEOUT_MS = 60_000
const PING_TIMEOUT_MS = 2_000
export const MAX_STORE_CONNECTIONS = 32
const IDLE_MS = 2_000
/** To the embedded engine, opened at once: another user of the machine can take all connections that are not open. */
const KEPT_CONNECTIONS = 8

const SETTINGS: ClickHouseSettings = {
  async_insert: 0,
  date_time_input_format: 'best_effort',
  // A row that does not fit must fail, not lose a field or turn NULL into 0.
  input_format_skip_unknown_fields: 0,
  input_format_null_as_default: 0,
  output_format_parallel_formatting: 0,
  output_format_json_quote_64bit_integers: 1,
  output_format_json_quote_decimals: 1,
}

const CLUSTER_SETTINGS = { ...SETTINGS, ...CLUSTER_QUERY_SETTINGS }

const canAnotherHelp = (error: unknown): boolean =>
  error instanceof ClickHouseError
    ? ONE_REPLICA_CODES.includes(error.code)
    : !(error instanceof AppError)

/** The same code as for wrong data, but the table differs: it would accept no row. */
const OTHER_TABLE = 'Unknown field'

/** True if a value in a row caused the failure of an insert, not the table or the store. */
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

/** Runs each call with its deadline; the server cancels the query when the caller disconnects. */
const createCall =
  (replicas: Replicas<ClickHouseClient>) =>
  async <Result>(
    { signal, timeoutMs }: CallOptions & { timeoutMs: number },
    operation: (client: ClickHouseClient, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> => {
    try {
      return await withDeadline(timeoutMs, signal, (abort) =>
        replicas.run(
          (client) => operation(client, abort),
          (error) => !abort.aborted && canAnotherHelp(error),
        ),
      )
    } catch (error) {
      if (hasCode(error, 'DEADLINE_EXCEEDED')) replicas.moveOn()
      throw signal?.aborted ? abortedError(signal) : storeError(error)
    }
  }

const FEW_ROWS = 32
const SHORT_CHARACTERS = 64 * 1_024

/** Few and short rows are sent as one text, which costs half as much as a stream of them. */
const areSmall = (rows: readonly object[]): boolean =>
  rows.length <= FEW_ROWS &&
  rows.every((row) =>
    Object.values(row).every(
      (value) => typeof value !== 'string' || value.length <= SHORT_CHARACTERS,
    ),
  )

/** Fewer rows are parsed by one thread: starting the threads of the parallel parser would cost more. */
const MANY_ROWS = 1_000

type Question = {
  query: string
  query_params: Readonly<Record<string, unknown>>
  abort_signal: AbortSignal
  clickhouse_settings: ClickHouseSettings
}

/** Runs one query; `read` receives the whole response within the same deadline. */
const createAsk =
  (call: ReturnType<typeof createCall>) =>
  <Answer>(
    query: string,
    params: Readonly<Record<string, unknown>>,
    { signal, timeoutMs = SELECT_TIMEOUT_MS, settings = {} }: SelectOptions,
    read: (client: ClickHouseClient, question: Question) => Promise<Answer>,
  ): Promise<Answer> =>
    call({ signal, timeoutMs }, (client, abort) =>
      read(client, {
        query,
        query_params: params,
        abort_signal: abort,
        clickhouse_settings: { ...settings, cancel_http_readonly_queries_on_client_close: 1 },
      }),
    )

/**
 * The server buffers the whole response, so that its status reports a failure midway.
 * Without a memory buffer it would use a file; larger responses still do.
 */
const WHOLE = { wait_end_of_query: 1, http_response_buffer_size: 4 * 1_024 * 1_024 } as const

/** In ES2024. */
type WellFormed = string & { toWellFormed(): string }

/** Half of a surrogate pair has no UTF-8 encoding: the replacement character is stored instead, as in any decoder. */
const toStorable = (_: string, value: unknown): unknown => {
  if (typeof value === 'bigint') return value.toString()
  return typeof value === 'string' ? (value as WellFormed).toWellFormed() : value
}

/** JSON has half of a pair as an escape, which the store refuses. */
const HALF_PAIR = '\\ud'

const encodeRow = (row: unknown): string => {
  try {
    const text = JSON.stringify(row)
    if (!text.includes(HALF_PAIR)) return text
  } catch {
    // The row contains a bigint.
  }
  // A replacer makes JSON.stringify several times slower, so it is only the second attempt.
  return JSON.stringify(row, toStorable)
}

const createClientFor = (url: string, options: StoreAccess): ClickHouseClient => {
  const isEmbedded = options.username === ENGINE_USER
  const client = createClient({
    url,
    username: options.username,
    password: options.password,
    application: 'rollcall',
    max_open_connections: MAX_STORE_CONNECTIONS,
    // Every call has its own deadline.
    request_timeout: 24 * 60 * 60 * 1000,
    keep_alive: { enabled: true, idle_socket_ttl: isEmbedded ? KEPT_CONNECTION_MS : IDLE_MS },
    clickhouse_settings: options.cluster === undefined ? SETTINGS : CLUSTER_SETTINGS,
    json: { parse: JSON.parse, stringify: encodeRow },
    use_multipart_params_auto: true,
    // The caller logs the error.
    log: { level: ClickHouseLogLevel.OFF },
  })
  if (isEmbedded) {
    for (let opened = 0; opened < KEPT_CONNECTIONS; opened++) void client.ping({ select: false })
  }
  return client
}

export const createStore = (options: StoreAccess): Store => {
  const { cluster } = options
  const replicas = createReplicas(
    storeUrls(options.url).map((url) => createClientFor(url, options)),
  )
  const call = createCall(replicas)
  const ask = createAsk(call)
  return {
    cluster,
    insert: async (table, rows, { signal, timeoutMs = INSERT_TIMEOUT_MS } = {}) => {
      if (rows.length === 0) return
      const input_format_parallel_parsing = rows.length < MANY_ROWS ? 0 : 1
      await call({ signal, timeoutMs }, (client) =>
        client.insert({
          table,
          // Else a row at a time: a large height may be longer than the longest string.
          values: areSmall(rows) ? rows : Readable.from(rows),
          format: 'JSONEachRow',
          clickhouse_settings: { input_format_parallel_parsing },
        }),
      )
    },
    select: <Row>(query: string, params = {}, options = {}) =>
      ask(query, params, options, async (client, question) => {
        const result = await client.query({ ...question, format: 'JSONEachRow' })
        return await result.json<Row>()
      }),
    selectBytes: (query, params = {}, { settings, ...options } = {}) => {
      const whole = { ...options, settings: { ...settings, ...WHOLE } }
      return ask(query, params, whole, async (client, question) => {
        const { stream } = await client.exec(question)
        return Buffer.concat(await stream.toArray())
      })
    },
    stream: async (
      query,
      params = {},
      { signal, timeoutMs = STREAM_TIMEOUT_MS, settings } = {},
    ) => {
      const { stream } = await call({ signal, timeoutMs }, (client) =>
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
      const query = fillClusterVariables(sql, cluster)
      await call({ signal, timeoutMs }, (client, abort) =>
        client.command({ query, abort_signal: abort }),
      )
    },
    isResponding: async (timeoutMs = PING_TIMEOUT_MS) => {
      try {
        const { success } = await call({ timeoutMs }, (client, abort) =>
          client.ping({ select: false, abort_signal: abort }),
        )
        return success
      } catch {
        return false
      }
    },
    close: async () => {
      await Promise.all(replicas.all.map((client) => client.close()))
    },
  }
}
