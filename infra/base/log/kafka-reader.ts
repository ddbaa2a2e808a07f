// Reads the partition of a topic from the brokers, by offset: first call by call, with a deadline and retries, then as the reader of a
// log. The reader caches the last fetch, so that small steps need no calls, and the last record. Also the form of a record.
import pLimit from 'p-limit'
import { pause } from '../runtime/clock.ts'
import { AppError } from '../runtime/errors.ts'
import { policies } from '../runtime/policies.ts'
import { retry, withDeadline } from '../runtime/retry.ts'
import type { EventLog, LogEntry, LogRecord, ReadLimits } from './event-log.ts'
import {
  type Admin,
  type Cluster,
  createSession,
  isOutOfRange,
  type Kafka,
  type Message,
  openAdmin,
  type PartitionAssigner,
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

type AbortedTransaction = { producerId: string; firstOffset: string }

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

const toLogRecord = ({ offset, timestamp, headers, value }: FetchedMessage): LogRecord => {
  const header = headers[HEIGHT_HEADER]
  const height = Buffer.isBuffer(header) ? header.toString() : header
  if (typeof height !== 'string' || !/^-?\d+$/.test(height)) {
    throw new AppError(
      'LOG_DAMAGED',
      `the record at offset ${offset} has no height: it is not ours`,
    )
  }
  if (value === null) {
    throw new AppError('LOG_DAMAGED', `the record at offset ${offset} has no value`)
  }
  return { offset: BigInt(offset), height: Number(height), timeMs: Number(timestamp), value }
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

type FetchLimits = {
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

/** Fetches from the leader of the partition of the topic. Throws after a change of the leader. */
const openFetch = async (kafka: Kafka, topic: string): Promise<Fetch> => {
  const found: Cluster[] = []
  const keepCluster: PartitionAssigner = (assigning) => {
    found.push(assigning.cluster)
    return roundRobin(assigning)
  }
  // It is never connected; its group does not exist.
  kafka.consumer({
    groupId: 'rollcall-fetch',
    allowAutoTopicCreation: false,
    partitionAssigners: [keepCluster],
  })
  const [cluster] = found
  if (!cluster) throw new Error('kafkajs passed no cluster to the partition assigner')
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
    const fetched = answer.responses[0]?.partitions[0]
    if (!fetched) throw new Error('the broker answered without the partition')
    return fetched
  }
}

type Fetched = {
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

type PartitionOptions = {
  config: KafkaConfig
  topic: string
  /** Once it fires, every call ends and fails. */
  signal: AbortSignal
  /** How long a call is retried before it fails. */
  budgetMs?: number
}

const CALL_MS = 12_000
const DEFAULT_BUDGET_MS = 10_000
/** A broker does not wait beyond the end of the log. */
const BEYOND_END_MS = 50
const DECIDED_POLL = { maxBytes: 1, waitMs: 50 }

type Client = { admin: Admin; fetch: Fetch }

const readBounds = async (admin: Admin, topic: string) => {
  const [found] = await admin.fetchTopicOffsets(topic)
  if (!found) throw new Error('the broker answered without the partition')
  return { start: BigInt(found.low), end: BigInt(found.high) }
}

export const createPartition = (options: PartitionOptions): Partition => {
  const { config, topic, signal, budgetMs = DEFAULT_BUDGET_MS } = options
  const open = async (kafka: Kafka): Promise<Client> => {
    const [fetch, admin] = await Promise.all([openFetch(kafka, topic), openAdmin(kafka)])
    return { admin, fetch }
  }
  const session = createSession({ config, signal, open })

  /** Not every broker knows a new topic at once. */
  const call = <T>(waitMs: number, use: (client: Client) => Promise<T>): Promise<T> => {
    const limits = { what: `read ${topic}`, timeoutMs: CALL_MS + waitMs }
    return retry(() => session.call(limits, use), { ...policies.kafkaRead(budgetMs), signal })
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

export type KafkaReader = Omit<EventLog, 'append' | 'close'>

const LEAST_FETCH_BYTES = 64 * 1024
const MOST_FETCH_BYTES = 8 * 2 ** 20
/** Limit of one call while waiting: short, because reads use the same connection after it. */
const POLL_MS = 250
/** Some seconds. */
const MAX_POLLS = 40
/** First range of the search for the last record: markers and aborted records may follow it. */
const TAIL_RECORDS = 64n

const greater = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/** At least the first one. */
const cut = (
  records: readonly LogRecord[],
  { maxRecords, maxBytes }: ReadLimits,
): readonly LogRecord[] => {
  let bytes = 0
  const end = records.findIndex(({ value }, at) => {
    const isFull = at >= maxRecords || bytes >= maxBytes || bytes + value.byteLength > maxBytes
    bytes += value.byteLength
    return at > 0 && isFull
  })
  return end < 0 ? records : records.slice(0, end)
}

/** `closing` ends every wait. */
export function createKafkaReader(partition: Partition, closing: AbortSignal): KafkaReader {
  /** The last fetch, which was at `at`: `records` are exactly the readable records in [from, next). */
  let window = { from: 0n, at: 0n, next: 0n, stableEnd: 0n, records: [] as readonly LogRecord[] }
  /** There is no readable record between this one and `end`. */
  let tail: { end: bigint; record: LogRecord | undefined } = { end: 0n, record: undefined }

  /** Those from `from` on in the last fetch; if it has none, those of one fetch at the first unknown offset. */
  const load = async (from: bigint, limits: FetchLimits): Promise<readonly LogRecord[]> => {
    const isKnown = window.from <= from && from <= window.next
    const found = isKnown ? window.records.filter(({ offset }) => offset >= from) : []
    if (found.length > 0) return found
    const at = isKnown ? window.next : from
    window = { from, at, ...(await partition.fetch(at, limits)) }
    return window.records
  }
  const read = async (from: bigint, limits: ReadLimits): Promise<readonly LogRecord[]> => {
    const maxBytes = Math.min(Math.max(limits.maxBytes, LEAST_FETCH_BYTES), MOST_FETCH_BYTES)
    const taken: LogRecord[] = []
    for (let at = from; ; at = window.next) {
      const known = window
      for (const record of await load(at, { maxBytes, waitMs: 0 })) taken.push(record)
      const selected = cut(taken, limits)
      const isFull = selected.length < taken.length || taken.length >= limits.maxRecords
      // The log may have grown since an earlier fetch.
      const isNew = window !== known
      const isAtEnd = isNew && (window.next === window.at || window.next >= window.stableEnd)
      if (isFull || isAtEnd) return selected
    }
  }
  /** The last record from `from` on, of at least all before `end`. */
  const lastFrom = async (from: bigint, end: bigint): Promise<LogRecord | undefined> => {
    const limits = { maxBytes: MOST_FETCH_BYTES, waitMs: POLL_MS }
    let found: LogRecord | undefined
    let polls = 0
    for (let at = from; at < end; at = window.next) {
      found = (await load(at, limits)).at(-1) ?? found
      // A broker that has just begun to lead may know less of what is committed than the one before.
      if (window.next > at || ++polls < MAX_POLLS) continue
      const message = `the broker returns nothing after offset ${at}, of ${end} that are committed`
      throw new AppError('LOG_UNAVAILABLE', message, { retryable: true })
    }
    return found
  }
  const last = async (): Promise<LogRecord | undefined> => {
    const { start, end } = await partition.bounds()
    const searched = greater(start, tail.end)
    for (let back = TAIL_RECORDS; tail.end < end; back *= 8n) {
      const from = greater(searched, end - back)
      const record = await lastFrom(from, end)
      if (record || from === searched) tail = { end, record: record ?? tail.record }
    }
    return tail.record
  }
  /** Exact for any record times, because heights grow with the offsets. */
  const offsetOfHeight = async (height: number): Promise<bigint> => {
    const firstFrom = async (from: bigint) => (await read(from, { maxRecords: 1, maxBytes: 0 }))[0]
    let { start: low, end: high } = await partition.bounds()
    // All records before `low` have lower heights. The first one from `high` on, if any, has not.
    while (low < high) {
      const middle = (low + high) / 2n
      const record = await firstFrom(middle)
      if (record && record.height < height) low = record.offset + 1n
      else high = middle
    }
    return (await firstFrom(low))?.offset ?? low
  }
  const inTurn = pLimit(1)
  const untilFound = async (from: bigint, ending: AbortSignal): Promise<void> => {
    const poll = () => load(from, { maxBytes: 1, waitMs: POLL_MS })
    for (let found = 0; found === 0 && !ending.aborted && !closing.aborted; ) {
      found = (await inTurn(poll)).length
    }
  }
  return {
    waitFor: async (from, { timeoutMs, signal }) => {
      try {
        await withDeadline(timeoutMs, signal, (ending) => untilFound(from, ending))
      } catch (error) {
        // A failure only ends the wait: the next read reports it.
        if (!(error instanceof AppError)) throw error
      }
    },
    read: (from, limits) => inTurn(() => read(from, limits)),
    last: () => inTurn(last),
    end: async () => {
      const record = await inTurn(last)
      return record ? record.offset + 1n : 0n
    },
    offsetOfHeight: (height) => inTurn(() => offsetOfHeight(height)),
  }
}
