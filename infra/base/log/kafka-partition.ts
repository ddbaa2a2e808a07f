// Reads the partition of a topic from the brokers: bounds and committed records, by offset.
// Every call has a deadline and is retried for a limited time.
import { pause } from '../runtime/clock.ts'
import { AppError } from '../runtime/errors.ts'
import type { Logger } from '../runtime/logger.ts'
import { policies } from '../runtime/policies.ts'
import { retry } from '../runtime/retry.ts'
import type { LogRecord } from './event-log.ts'
import { type Admin, createSession, type Kafka } from './kafka-client.ts'
import { isAbsentTopic, isOutOfRange } from './kafka-errors.ts'
import { type Fetch, type FetchLimits, openFetch } from './kafka-fetch.ts'
import { committedRecords } from './kafka-record.ts'
import type { KafkaConfig } from './kafka-settings.ts'

export type Fetched = {
  records: LogRecord[]
  /** `records` has all readable records before this offset. Without data it is the requested offset. */
  next: bigint
  /** Everything before it is decided: committed or aborted. */
  stableEnd: bigint
  /** The offset after all written records, decided or not. */
  writtenEnd: bigint
}

export type Partition = {
  /** Waits up to `waitMs` for a record. Throws `LOG_DAMAGED` if the records at `from` have been deleted. */
  fetch(from: bigint, limits: FetchLimits): Promise<Fetched>
  /** `end`: everything before it is decided. */
  bounds(): Promise<{ start: bigint; end: bigint }>
}

export type PartitionOptions = {
  config: KafkaConfig
  topic: string
  logger: Logger
  /** Once it fires, every call ends and fails. */
  signal: AbortSignal
  /** How long a call is retried before it fails. */
  budgetMs?: number
}

const CALL_MS = 12_000
const DEFAULT_BUDGET_MS = 10_000
/** Not every broker knows a new topic at once. */
const SPREAD_MS = 1_000
/** A broker does not wait beyond the end of the log. */
const BEYOND_END_MS = 50
const DECIDED_POLL = { maxBytes: 1, waitMs: 50 }

type Client = { admin: Admin; fetch: Fetch }

const open =
  (topic: string) =>
  async (kafka: Kafka): Promise<Client> => {
    const admin = kafka.admin()
    const [fetch] = await Promise.all([openFetch(kafka, topic), admin.connect()])
    return { admin, fetch }
  }

const readBounds = async (admin: Admin, topic: string) => {
  const [found] = await admin.fetchTopicOffsets(topic)
  if (!found) throw new Error('the broker answered without the partition')
  return { start: BigInt(found.low), end: BigInt(found.high) }
}

export const createPartition = (options: PartitionOptions): Partition => {
  const { config, topic, logger, signal, budgetMs = DEFAULT_BUDGET_MS } = options
  const session = createSession({ config, logger, signal, open: open(topic) })

  const call = async <T>(waitMs: number, use: (client: Client) => Promise<T>): Promise<T> => {
    const startedMs = performance.now()
    const mayAppear = () => performance.now() - startedMs < SPREAD_MS
    const limits = { what: `read ${topic}`, timeoutMs: CALL_MS + waitMs }
    try {
      return await retry(() => session.call(limits, use), {
        ...policies.kafkaRead(budgetMs),
        signal,
        when: (error) => error.retryable && (!isAbsentTopic(error) || mayAppear()),
      })
    } catch (error) {
      if (!isAbsentTopic(error)) throw error
      const message = `there is no topic ${topic} yet`
      throw new AppError('LOG_UNAVAILABLE', message, { retryable: true, cause: error })
    }
  }
  const outside = async (admin: Admin, from: bigint, waitMs: number): Promise<Fetched> => {
    const { start, end } = await readBounds(admin, topic)
    if (from < start) {
      const message = `${topic} begins at offset ${start}: what was before it has been deleted`
      throw new AppError('LOG_DAMAGED', message)
    }
    await pause(Math.min(waitMs, BEYOND_END_MS), signal)
    return { records: [], next: from, stableEnd: end, writtenEnd: end }
  }
  return {
    bounds: () => call(0, ({ admin }) => readBounds(admin, topic)),
    fetch: (from, limits) =>
      call(limits.waitMs, async ({ admin, fetch }) => {
        try {
          const fetched = await fetch(from, limits)
          const after = BigInt(fetched.messages.at(-1)?.offset ?? -1) + 1n
          return {
            records: committedRecords(fetched.messages, fetched.abortedTransactions, from),
            next: after > from ? after : from,
            stableEnd: BigInt(fetched.lastStableOffset),
            writtenEnd: BigInt(fetched.highWatermark),
          }
        } catch (error) {
          if (isOutOfRange(error)) return await outside(admin, from, limits.waitMs)
          throw error
        }
      }),
  }
}

/** Waits until everything before `end` is decided: committed or aborted. */
export const untilDecided = async (
  partition: Pick<Partition, 'fetch'>,
  end: bigint,
  signal: AbortSignal,
): Promise<void> => {
  while ((await partition.fetch(end - 1n, DECIDED_POLL)).stableEnd < end) signal.throwIfAborted()
}
