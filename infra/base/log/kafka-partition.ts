// Reads the partition of a topic from the brokers: bounds and committed records, by offset; and the form of a record.
// Every call has a deadline and is retried for a limited time.
import { pause } from '../runtime/clock.ts'
import { AppError } from '../runtime/errors.ts'
import { policies } from '../runtime/policies.ts'
import { retry } from '../runtime/retry.ts'
import type { LogEntry, LogRecord } from './event-log.ts'
import {
  type Admin,
  type Cluster,
  createSession,
  isAbsentTopic,
  isOutOfRange,
  type Kafka,
  type Message,
  roundRobin,
} from './kafka-client.ts'
import type { KafkaConfig } from './kafka-settings.ts'

/** A fetched record, which may be a marker or aborted. */
export type FetchedMessage = {
  offset: string
  timestamp: string
  key: Buffer | null
  value: Buffer | null
  headers: Record<string, Buffer | string | (Buffer | string)[] | undefined>
  isControlRecord: boolean
  batchContext: { producerId: string; inTransaction: boolean }
}

export type AbortedTransaction = { producerId: string; firstOffset: string }

const HEIGHT_HEADER = 'height'
/** Marks a CloudEvent in structured mode (Kafka protocol binding for CloudEvents, 3.3). */
const CONTENT_TYPE = { 'content-type': 'application/cloudevents+json' } as const
/** The key of a marker has two 16-bit numbers: a version and a type. Type 0 is an abort. */
const MARKER_TYPE_BYTE = 2
const ABORT = 0

/** The timestamp of the record is the block time, so that any Kafka tool can seek by it. */
export const toKafkaMessage = ({ height, timeMs, value }: LogEntry): Message => ({
  partition: PARTITION,
  value: Buffer.from(value.buffer, value.byteOffset, value.byteLength),
  timestamp: String(Math.trunc(timeMs)),
  headers: { ...CONTENT_TYPE, [HEIGHT_HEADER]: String(height) },
})

const readHeight = ({ headers, offset }: FetchedMessage): number => {
  const header = headers[HEIGHT_HEADER]
  const written = Buffer.isBuffer(header) ? header.toString() : header
  if (typeof written === 'string' && /^-?\d+$/.test(written)) return Number(written)
  throw new AppError('LOG_DAMAGED', `the record at offset ${offset} has no height: it is not ours`)
}

const toLogRecord = (message: FetchedMessage): LogRecord => {
  if (message.value === null) {
    throw new AppError('LOG_DAMAGED', `the record at offset ${message.offset} has no value`)
  }
  return {
    offset: BigInt(message.offset),
    height: readHeight(message),
    timeMs: Number(message.timestamp),
    value: message.value,
  }
}

const endsAborted = ({ key }: FetchedMessage): boolean =>
  key !== null && key.length >= MARKER_TYPE_BYTE + 2 && key.readInt16BE(MARKER_TYPE_BYTE) === ABORT

/**
 * The committed records from `from` on. `aborted` are the aborted transactions in the fetched range,
 * as the broker lists them.
 */
export const committedRecords = (
  messages: readonly FetchedMessage[],
  aborted: readonly AbortedTransaction[],
  from: bigint,
): LogRecord[] => {
  /** The aborted transactions without those that have ended. */
  let open = aborted
  const found: LogRecord[] = []
  for (const message of messages) {
    const offset = BigInt(message.offset)
    const { producerId, inTransaction } = message.batchContext
    const hasMessage = (each: AbortedTransaction): boolean =>
      each.producerId === producerId && BigInt(each.firstOffset) <= offset
    if (message.isControlRecord) {
      if (endsAborted(message)) open = open.filter((each) => !hasMessage(each))
    } else if (offset >= from && !(inTransaction && open.some(hasMessage))) {
      found.push(toLogRecord(message))
    }
  }
  return found
}

// THE ONE EXCEPTION to the public API of `kafkajs` (decision 5): a fetch at an offset without joining a consumer group.
// A consumer of the library reads only as a member of a group, and returns some aborted records. A partition assigner
// receives the `Cluster`. Its type is public and its brokers fetch, so an assigner gives access to it.

export type FetchLimits = {
  maxBytes: number
  /** How long the broker waits for a record. */
  waitMs: number
}

type FetchedPartition = {
  /** All messages of the fetched batches: also messages before the offset, aborted ones, and markers. */
  messages: FetchedMessage[]
  abortedTransactions: AbortedTransaction[]
  /** Everything before it is decided: committed or aborted. */
  lastStableOffset: string
}

type Fetch = (from: bigint, limits: FetchLimits) => Promise<FetchedPartition>

/** The result of `Broker.fetch`, which has the type `any`. */
type FetchAnswer = { responses: { partitions: FetchedPartition[] }[] }

const PARTITION = 0
const READ_COMMITTED = 1

/** The consumer is never connected; its group does not exist. */
const getCluster = (kafka: Kafka): Cluster => {
  const found: Cluster[] = []
  kafka.consumer({
    groupId: 'rollcall-fetch',
    allowAutoTopicCreation: false,
    partitionAssigners: [
      (assigning) => {
        found.push(assigning.cluster)
        return roundRobin(assigning)
      },
    ],
  })
  if (!found[0]) throw new Error('kafkajs passed no cluster to the partition assigner')
  return found[0]
}

/** Fetches from the leader of the partition of the topic. Throws after a change of the leader. */
const openFetch = async (kafka: Kafka, topic: string): Promise<Fetch> => {
  const cluster = getCluster(kafka)
  await cluster.connect()
  await cluster.addTargetTopic(topic)
  const [leader] = Object.keys(cluster.findLeaderForPartitions(topic, [PARTITION]))
  if (leader === undefined) throw new Error(`no broker leads ${topic}`)
  return async (from, { maxBytes, waitMs }) => {
    const broker = await cluster.findBroker({ nodeId: leader })
    const partition = { partition: PARTITION, fetchOffset: String(from), maxBytes }
    const answer: FetchAnswer = await broker.fetch({
      isolationLevel: READ_COMMITTED,
      maxWaitTime: waitMs,
      minBytes: 1,
      maxBytes,
      topics: [{ topic, partitions: [partition] }],
    })
    const found = answer.responses[0]?.partitions[0]
    if (!found) throw new Error('the broker answered without the partition')
    return found
  }
}

export type Fetched = {
  records: LogRecord[]
  /** `records` has all readable records before this offset. Without data it is the requested offset. */
  next: bigint
  /** Everything before it is decided: committed or aborted. */
  stableEnd: bigint
}

export type Partition = {
  /** Waits up to `waitMs` for a record. Throws `LOG_DAMAGED` if the records at `from` have been deleted. */
  fetch(from: bigint, limits: FetchLimits): Promise<Fetched>
  /** `end`: everything before it is decided. */
  bounds(): Promise<{ start: bigint; end: bigint }>
  /** Waits until everything before `end` is decided: committed or aborted. */
  untilDecided(end: bigint, signal: AbortSignal): Promise<void>
}

export type PartitionOptions = {
  config: KafkaConfig
  topic: string
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
  const { config, topic, signal, budgetMs = DEFAULT_BUDGET_MS } = options
  const session = createSession({ config, signal, open: open(topic) })

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
    return { records: [], next: from, stableEnd: end }
  }
  const fetch: Partition['fetch'] = (from, limits) =>
    call(limits.waitMs, async (client) => {
      try {
        const fetched = await client.fetch(from, limits)
        const after = BigInt(fetched.messages.at(-1)?.offset ?? -1) + 1n
        return {
          records: committedRecords(fetched.messages, fetched.abortedTransactions, from),
          next: after > from ? after : from,
          stableEnd: BigInt(fetched.lastStableOffset),
        }
      } catch (error) {
        if (isOutOfRange(error)) return await outside(client.admin, from, limits.waitMs)
        throw error
      }
    })
  return {
    fetch,
    bounds: () => call(0, ({ admin }) => readBounds(admin, topic)),
    untilDecided: async (end, signal) => {
      while ((await fetch(end - 1n, DECIDED_POLL)).stableEnd < end) signal.throwIfAborted()
    },
  }
}
