// Appends to a topic: one transaction per append, one send in flight, one producer at a time, fenced by its transactional id.
// After any failure it appends only after the log was read again, because only the log has the outcome. Of one writer its
// caller reads the tail; one of many writers searches for its own bytes: nothing acknowledged is lost, and nothing is repeated.
import pLimit from 'p-limit'
import { AppError, hasCode } from '../runtime/errors.ts'
import { policies } from '../runtime/policies.ts'
import { retry, withDeadline } from '../runtime/retry.ts'
import type { LogEntry } from './event-log.ts'
import {
  createSession,
  DefaultPartitioner,
  type Kafka,
  type Message,
  type Producer,
} from './kafka-client.ts'
import { type Partition, toKafkaMessage, untilDecided } from './kafka-partition.ts'
import type { KafkaReader } from './kafka-reader.ts'
import type { KafkaConfig } from './kafka-settings.ts'
import { recordsBetween } from './records-between.ts'

export type KafkaAppender = {
  /** The offset after the last entry. */
  append(entries: readonly LogEntry[]): Promise<bigint>
  /**
   * Decides open transactions: takes the transactional id again if one may be open, which also
   * ends the transactions of its former owner. Does nothing after a success.
   */
  settle(): Promise<void>
}

export type KafkaAppenderOptions = {
  config: KafkaConfig
  topic: string
  /** A fixed ID: its last owner may write, all others are fenced. With `shared`, each process has its own ID. */
  transactionalId: string
  partition: Pick<Partition, 'bounds' | 'fetch'>
  tail: Pick<KafkaReader, 'read'>
  /** Once it fires, this process neither writes nor fences another writer. */
  signal: AbortSignal
  /** Others write to the topic too, each with its own id: no process is permanently fenced. */
  shared?: boolean
}

const SEND_BYTES = 512 * 1024
/** An upper bound of the size of a record without its value. */
const RECORD_OVERHEAD_BYTES = 128
/**
 * A broker acknowledges the end of a transaction before it writes its markers, and refuses the next one
 * until then. That takes a few milliseconds, so retries are short.
 */
const TRANSACTION_RETRY = { initialRetryTime: 3, multiplier: 1.6, maxRetryTime: 100, retries: 20 }

/** The broker aborts a transaction that is older than `transactionMs`. Its writer then gets the error of a fenced one. */
const LIMITS = {
  transactionMs: 60_000,
  appendMs: 45_000,
  settleMs: 15_000,
  settleBudgetMs: 20_000,
}
/** Short, because an open transaction blocks all readers of later records, and a client waits for the response. */
const SHARED_LIMITS = {
  transactionMs: 5_000,
  appendMs: 4_000,
  settleMs: 4_000,
  settleBudgetMs: 4_000,
}

/** Sends of at most 512 KiB, or with one larger entry. */
const splitIntoSends = (entries: readonly LogEntry[]): Message[][] => {
  const sends: Message[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const entry of entries) {
    const size = entry.value.byteLength + RECORD_OVERHEAD_BYTES
    bytes += size
    if (bytes > SEND_BYTES) {
      sends.push([])
      bytes = size
    }
    sends.at(-1)!.push(toKafkaMessage(entry))
  }
  return sends
}

/** Takes the transactional ID, which fences its former owner. */
const openProducer = async (kafka: Kafka, transactionalId: string, transactionTimeout: number) => {
  const producer = kafka.producer({
    transactionalId,
    transactionTimeout,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    retry: TRANSACTION_RETRY,
    createPartitioner: DefaultPartitioner,
  })
  await producer.connect()
  const transaction = await producer.transaction()
  await transaction.abort()
  return producer
}

/** All entries in one transaction. Returns the offset after the last one, which its marker has. */
const commit = async (
  producer: Producer,
  topic: string,
  entries: readonly LogEntry[],
  signal: AbortSignal,
): Promise<bigint> => {
  const transaction = await producer.transaction()
  let after = 0n
  for (const messages of splitIntoSends(entries)) {
    signal.throwIfAborted()
    const [sent] = await transaction.send({ topic, messages, acks: -1 })
    if (sent?.baseOffset === undefined) throw new Error('the broker answered without an offset')
    after = BigInt(sent.baseOffset) + BigInt(messages.length)
  }
  signal.throwIfAborted()
  await transaction.commit()
  return after
}

/** One producer that is opened again after each failure. It never repeats an append. */
const createFencedAppender = (options: KafkaAppenderOptions): KafkaAppender => {
  const { config, topic, transactionalId, partition, signal, shared = false } = options
  const limits = shared ? SHARED_LIMITS : LIMITS
  /** While it is open, every append of this process is decided. */
  const session = createSession({
    config,
    signal,
    open: (kafka) => openProducer(kafka, transactionalId, limits.transactionMs),
  })
  let fenced: AppError | undefined

  const refuse = () => {
    if (fenced) throw fenced
    if (signal.aborted) throw new AppError('LOG_FENCED', 'this process may not write any more')
  }
  const call: typeof session.call = async (limit, use) => {
    const startedMs = performance.now()
    try {
      return await session.call(limit, use)
    } catch (error) {
      if (!hasCode(error, 'LOG_FENCED')) throw error
      if (shared || performance.now() - startedMs >= limits.transactionMs) {
        const message = `could not ${limit.what}: the process was suspended for too long`
        throw new AppError('LOG_UNAVAILABLE', message, { retryable: true, cause: error })
      }
      fenced = error
      throw error
    }
  }
  const take = async () => {
    refuse()
    if (session.isOpen()) return
    await call(
      { what: `take over writing to ${topic}`, timeoutMs: limits.settleMs },
      async () => {},
    )
  }
  return {
    settle: async () => {
      try {
        await retry(take, { ...policies.kafkaTakeOver(limits.settleBudgetMs), signal })
      } catch (error) {
        refuse()
        throw error
      }
    },
    append: async (entries) => {
      refuse()
      if (!session.isOpen()) {
        const message = 'the outcome of an append is not known: read the last record first'
        throw new AppError('LOG_UNAVAILABLE', message, { retryable: true })
      }
      const limit = { what: `append to ${topic}`, timeoutMs: limits.appendMs }
      return await call(limit, async (producer, ending) => {
        const after = await commit(producer, topic, entries, ending)
        // A broker acknowledges a commit before readers see it.
        await untilDecided(partition, after + 1n, ending)
        return after
      })
    },
  }
}

type SharedParts = Pick<KafkaAppenderOptions, 'topic' | 'partition' | 'tail' | 'signal'> & {
  sender: KafkaAppender
  /** Time limit for the outcome of an append, while the caller waits. */
  appendMs?: number
}

const APPEND_MS = 5_000
const MAX_WAITING = 1_000

const unavailable = (message: string, cause?: unknown): AppError =>
  new AppError('LOG_UNAVAILABLE', message, { cause })

/** Waits until everything written so far is decided. Returns the offset after the record with these bytes, if any. */
const findAppended = async (
  { partition, tail }: SharedParts,
  { value }: LogEntry,
  { from, signal }: { from: bigint; signal: AbortSignal },
): Promise<bigint | undefined> => {
  const { writtenEnd } = await partition.fetch(from, { maxBytes: 1, waitMs: 0 })
  if (writtenEnd > from) await untilDecided(partition, writtenEnd, signal)
  for await (const records of recordsBetween(tail, { from, signal })) {
    const found = records.find((record) => Buffer.compare(record.value, value) === 0)
    if (found) return found.offset + 1n
  }
  return undefined
}

/** An append of one of many writers: repeated until it is known that it is in the log once. */
export function createSharedAppend(parts: SharedParts): KafkaAppender['append'] {
  const { topic, partition, sender, signal, appendMs = APPEND_MS } = parts
  const inTurn = pLimit(1)
  /** The next append of this process is at or after this offset. */
  let from: bigint | undefined

  const untilKnown = async (entries: readonly LogEntry[], ending: AbortSignal): Promise<bigint> => {
    let isRetry = false
    const once = async (): Promise<bigint> => {
      // Decides open transactions of this process: none may be committed later or block a reader.
      await sender.settle()
      const last = entries.at(-1)
      // Transactions are atomic: if the log has the last record, it has all of them.
      if (isRetry && from !== undefined && last) {
        const found = await findAppended(parts, last, { from, signal: ending })
        if (found !== undefined) return found
      }
      from ??= (await partition.bounds()).end
      // The deadline has passed: this append must not follow a later one.
      if (ending.aborted) throw unavailable('the deadline passed before the append')
      isRetry = true
      return await sender.append(entries)
    }
    from = await retry(once, { ...policies.kafkaSharedAppend(appendMs), signal: ending })
    return from
  }
  return async (entries) => {
    if (inTurn.pendingCount >= MAX_WAITING) {
      throw unavailable(`too many appends to ${topic} are waiting`)
    }
    const untilMs = performance.now() + appendMs
    try {
      return await inTurn(async () => {
        const leftMs = untilMs - performance.now()
        // The deadline of the caller has passed.
        if (leftMs <= 0) throw unavailable(`had no turn to append to ${topic}`)
        return await withDeadline(leftMs, signal, (ending) => untilKnown(entries, ending))
      })
    } catch (error) {
      // Not retryable by the caller: only this module can search the log before a retry.
      if (hasCode(error, 'CONFIG_INVALID') || hasCode(error, 'LOG_ENTRY_TOO_LARGE')) throw error
      throw unavailable(`could not append to ${topic}, or its outcome is not known`, error)
    }
  }
}

export function createKafkaAppender(options: KafkaAppenderOptions): KafkaAppender {
  const sender = createFencedAppender(options)
  if (options.shared) return { ...sender, append: createSharedAppend({ ...options, sender }) }
  const inTurn = pLimit(1)
  return {
    append: (entries) => inTurn(() => sender.append(entries)),
    settle: () => inTurn(sender.settle),
  }
}
