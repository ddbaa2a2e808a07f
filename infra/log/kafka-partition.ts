// Reads the partition of a topic from the brokers: bounds and committed records, by offset.
// Every call has a deadline and is retried for a limited time.
import { AppError } from '../runtime/errors.ts'
import type { Logger } from '../runtime/logger.ts'
import { retry } from '../runtime/retry.ts'
import type { LogRecord } from './event-log.ts'
import { type Admin, connectKafka, createSession } from './kafka-client.ts'
import { isAbsentTopic, isOutOfRange, logError } from './kafka-errors.ts'
import { type Fetch, type FetchLimits, openFetch } from './kafka-fetch.ts'
import { committedRecords } from './kafka-record.ts'
import type { KafkaConfig } from './kafka-settings.ts'

export type Fetched = {
  records: LogRecord[]
  /** `records` has all readable records before this offset. Without data it is the requested offset. */
  next: bigint
  /** Everything before it is decided: committed or aborted. */
  stableEnd: bigint
}

export type Partition = {
  /** Waits up to `waitMs` for a record. */
  fetch(from: bigint, limits: FetchLimits): Promise<Fetched>
  /** `end`: everything before it is decided. */
  bounds(): Promise<{ start: bigint; end: bigint }>
  /** The offset after all written records, decided or not. */
  writtenEnd(): Promise<bigint>
  close(): void
}

export type PartitionOptions = {
  config: KafkaConfig
  topic: string
  logger: Logger
  /** How long a call is retried before it fails. */
  budgetMs?: number
}

const CALL_MS = 12_000
const DEFAULT_BUDGET_MS = 10_000
/** Not every broker knows a new topic at once. */
const SPREAD_MS = 1_000
const PACE = { limit: 20, baseDelayMs: 50, maxDelayMs: 1_000 }

type Client = { admin: Admin; fetch: Fetch }

export const createPartition = (options: PartitionOptions): Partition => {
  const { config, topic, logger, budgetMs = DEFAULT_BUDGET_MS } = options
  const closing = new AbortController()
  const { signal } = closing
  const session = createSession(
    () => connectKafka(config, logger),
    async (kafka): Promise<Client> => {
      const admin = kafka.admin()
      const [fetch] = await Promise.all([openFetch(kafka, topic), admin.connect()])
      return { admin, fetch }
    },
  )
  const call = async <T>(waitMs: number, use: (client: Client) => Promise<T>): Promise<T> => {
    const startedMs = performance.now()
    const limits = { timeoutMs: CALL_MS + waitMs, signal, isHarmless: isOutOfRange }
    const once = () =>
      session.call(limits, use).catch((error: unknown) => {
        const isAbsent = isAbsentTopic(error) && performance.now() - startedMs > SPREAD_MS
        // A retry changes neither.
        throw isAbsent || isOutOfRange(error) ? error : logError(error, `read ${topic}`)
      })
    try {
      return await retry(once, { ...PACE, budgetMs, signal })
    } catch (error) {
      if (signal.aborted) throw new AppError('LOG_UNAVAILABLE', 'the event log is closed')
      if (!isAbsentTopic(error)) throw error
      const message = `there is no topic ${topic} yet`
      throw new AppError('LOG_UNAVAILABLE', message, { retryable: true, cause: error })
    }
  }
  const bounds = () =>
    call(0, async ({ admin }) => {
      const [found] = await admin.fetchTopicOffsets(topic)
      if (!found) throw new Error('the broker answered without the partition')
      return { start: BigInt(found.low), end: BigInt(found.high) }
    })
  const outside = async (from: bigint): Promise<Fetched> => {
    const { start, end } = await bounds()
    if (from >= start) return { records: [], next: from, stableEnd: end }
    const message = `${topic} begins at offset ${start}: what was before it has been deleted`
    throw new AppError('LOG_DAMAGED', message)
  }
  return {
    bounds,
    writtenEnd: async () => {
      const { end } = await bounds()
      const { highWatermark } = await call(0, ({ fetch }) => fetch(end, { maxBytes: 1, waitMs: 0 }))
      return BigInt(highWatermark)
    },
    fetch: async (from, limits) => {
      try {
        const fetched = await call(limits.waitMs, ({ fetch }) => fetch(from, limits))
        const { messages, abortedTransactions, lastStableOffset } = fetched
        const after = BigInt(messages.at(-1)?.offset ?? -1) + 1n
        return {
          records: committedRecords(messages, abortedTransactions, from),
          next: after > from ? after : from,
          stableEnd: BigInt(lastStableOffset),
        }
      } catch (error) {
        if (isOutOfRange(error)) return await outside(from)
        throw error
      }
    },
    close: () => {
      closing.abort()
      session.close()
    },
  }
}
