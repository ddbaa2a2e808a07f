// The logs on Apache Kafka: one partition, committed records only. The log of a chain has one writer, fenced by its transactional id,
// and each append is a transaction. To the other one any number of writers append, each as an idempotent producer.
import pLimit from 'p-limit'
import { handledLater } from '../runtime/abort.ts'
import { AppError, hasCode } from '../runtime/errors.ts'
import type { Logger } from '../runtime/logger.ts'
import { policies } from '../runtime/policies.ts'
import { retry } from '../runtime/retry.ts'
import type { EventLog, LogEntry } from './event-log.ts'
import { refuseLargeEntries } from './event-log.ts'
import { createSession, DefaultPartitioner, type Message, type Producer } from './kafka-client.ts'
import {
  createKafkaReader,
  createPartition,
  type KafkaReader,
  type Partition,
  toKafkaMessage,
} from './kafka-reader.ts'
import type { KafkaConfig } from './kafka-settings.ts'
import { ensureTopic, type SharedSubject, toTopicName } from './kafka-topic.ts'

const SEND_BYTES = 512 * 1024
/** An upper bound of the size of a record without its value. */
const RECORD_OVERHEAD_BYTES = 128
/** The broker aborts a transaction that is older. Its writer then gets the error of a fenced one. */
const TRANSACTION_MS = 60_000
const APPEND_MS = 45_000
const TAKE_OVER_MS = 15_000
/**
 * A broker acknowledges the end of a transaction before it writes its markers, and refuses the next one
 * until then. That takes a few milliseconds, so retries are short.
 */
const TRANSACTION_RETRY = { initialRetryTime: 3, multiplier: 1.6, maxRetryTime: 100, retries: 20 }

/** Less than the deadlines of the callers: a client waits for its fact. */
const SHARED_APPEND_MS = 5_000
const SHARED_CALL_MS = 4_000
const SHARED_RETRY = { initialRetryTime: 20, maxRetryTime: 500, retries: 50 }
const MAX_WAITING = 1_000

const PRODUCER = {
  maxInFlightRequests: 1,
  allowAutoTopicCreation: false,
  createPartitioner: DefaultPartitioner,
} as const

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

/** Returns the offset after the last message. */
const send = async (
  sender: Pick<Producer, 'send'>,
  topic: string,
  messages: Message[],
): Promise<bigint> => {
  const [sent] = await sender.send({ topic, messages, acks: -1 })
  if (sent?.baseOffset === undefined) throw new Error('the broker answered without an offset')
  return BigInt(sent.baseOffset) + BigInt(messages.length)
}

type AppenderOptions = {
  config: KafkaConfig
  topic: string
  /** Once it fires, this process neither writes nor fences another writer. */
  signal: AbortSignal
}

/**
 * One producer at a time, opened again after each failure. It never repeats an append, and appends only after `settle`: only the
 * log has the outcome of one that failed.
 */
const createFencedAppender = (
  { config, topic, signal }: AppenderOptions,
  { transactionalId, partition }: { transactionalId: string; partition: Partition },
) => {
  /** While it is open, every append of this process is decided. */
  const session = createSession({
    config,
    signal,
    // Taking the transactional ID fences its former owner, and ends its transactions.
    open: async (kafka) => {
      const transactionTimeout = TRANSACTION_MS
      const retry = TRANSACTION_RETRY
      const producer = kafka.producer({ ...PRODUCER, transactionalId, transactionTimeout, retry })
      await producer.connect()
      await (await producer.transaction()).abort()
      return producer
    },
  })
  let fenced: AppError | undefined
  const oneAtATime = pLimit(1)
  const inTurn = <T>(use: () => Promise<T>): Promise<T> =>
    oneAtATime(async () => {
      const refuse = () => {
        if (fenced) throw fenced
        if (signal.aborted) throw new AppError('LOG_FENCED', 'this process may not write any more')
      }
      refuse()
      try {
        return await use()
      } catch (error) {
        if (hasCode(error, 'LOG_FENCED')) fenced = error
        refuse()
        throw error
      }
    })
  const takeOver = () =>
    session.call({ what: `take over writing to ${topic}`, timeoutMs: TAKE_OVER_MS }, async () => {})
  /** All entries in one transaction. Returns the offset after the last one, which its marker has. */
  const commit = async (entries: readonly LogEntry[], producer: Producer, ending: AbortSignal) => {
    const transaction = await producer.transaction()
    let after = 0n
    for (const messages of splitIntoSends(entries)) {
      ending.throwIfAborted()
      after = await send(transaction, topic, messages)
    }
    ending.throwIfAborted()
    await transaction.commit()
    // A broker acknowledges a commit before readers see it.
    await partition.untilDecided(after + 1n, ending)
    return after
  }
  return {
    settle: () =>
      inTurn(async () => {
        if (!session.isOpen()) await retry(takeOver, { ...policies.kafkaTakeOver, signal })
      }),
    append: (entries: readonly LogEntry[]) =>
      inTurn(async () => {
        if (session.isOpen()) {
          const limits = { what: `append to ${topic}`, timeoutMs: APPEND_MS }
          return await session.call(limits, (...opened) => commit(entries, ...opened))
        }
        const message = 'the outcome of an append is not known: read the last record first'
        throw new AppError('LOG_UNAVAILABLE', message, { retryable: true })
      }),
  }
}

/**
 * An append of one of many writers. The broker numbers what a producer sends, so what the library repeats is stored once. What may
 * be stored is not retryable: no caller may repeat it. Facts are small: each append is one batch, which is atomic.
 */
const createSharedAppend = ({ config, topic, signal }: AppenderOptions): EventLog['append'] => {
  const session = createSession({
    config,
    signal,
    open: async (kafka) => {
      const producer = kafka.producer({ ...PRODUCER, idempotent: true, retry: SHARED_RETRY })
      await producer.connect()
      return producer
    },
  })
  const inTurn = pLimit(1)
  return async (entries) => {
    if (inTurn.pendingCount >= MAX_WAITING) {
      throw new AppError('LOG_UNAVAILABLE', `too many appends to ${topic} are waiting`)
    }
    const untilMs = performance.now() + SHARED_APPEND_MS
    let mayBeStored = false
    try {
      return await inTurn(() => {
        const timeoutMs = untilMs - performance.now()
        if (timeoutMs <= 0) {
          throw new AppError('LOG_UNAVAILABLE', `had no turn to append to ${topic}`)
        }
        return session.call({ what: `append to ${topic}`, timeoutMs }, (producer, ending) => {
          ending.throwIfAborted()
          mayBeStored = true
          return send(producer, topic, entries.map(toKafkaMessage))
        })
      })
    } catch (cause) {
      if (!mayBeStored || hasCode(cause, 'LOG_ENTRY_TOO_LARGE')) throw cause
      const message = `the outcome of an append to ${topic} is not known`
      throw new AppError('LOG_UNAVAILABLE', message, { cause })
    }
  }
}

type Parts = {
  closing: AbortController
  /** Every call waits for it first. */
  ready?: Promise<void>
  reader: KafkaReader
  /** Absent in a process that only reads. */
  append: EventLog['append'] | undefined
}

const createLog = ({ closing, ready, reader, append }: Parts): EventLog => {
  /** Makes a call wait for `ready`, and refuses or ends it once the log is closed. */
  const guard =
    <Parameters extends unknown[], T>(call: (...parameters: Parameters) => Promise<T>) =>
    async (...parameters: Parameters): Promise<T> => {
      try {
        closing.signal.throwIfAborted()
        await ready
        return await call(...parameters)
      } catch (cause) {
        if (!closing.signal.aborted) throw cause
        throw new AppError('LOG_UNAVAILABLE', 'the event log is closed', { cause })
      }
    }
  return {
    append: guard(async (entries) => {
      if (!append) throw new AppError('LOG_FENCED', 'this process opened the log to read only')
      refuseLargeEntries(entries)
      return entries.length === 0 ? await reader.end() : await append(entries)
    }),
    read: guard(reader.read),
    waitFor: async (from, options) => {
      await ready
      await reader.waitFor(from, options)
    },
    last: guard(reader.last),
    end: guard(reader.end),
    offsetOfHeight: guard(reader.offsetOfHeight),
    close: async () => closing.abort(),
  }
}

export type KafkaLogOptions = {
  settings: KafkaConfig
  chainId: string
  logger: Logger
  /** For a process that only reads: creates nothing, fences no writer. */
  readOnly?: boolean
  /**
   * The signal of the term in which this process leads. Once it fires, every append is refused with
   * `LOG_FENCED`, and this process fences no other writer.
   */
  signal?: AbortSignal
}

/** The same in every process: Kafka accepts writes of its latest owner only. */
export const toTransactionalId = (chainId: string): string => `rollcall-ingest-${chainId}`

/**
 * Opens the log of a chain. For a writer it creates the topic if needed, refuses one that would lose
 * events (`CONFIG_INVALID`), and fences every earlier writer. For a reader it throws `LOG_UNAVAILABLE`
 * if the topic does not exist yet.
 */
export async function openKafkaLog(options: KafkaLogOptions): Promise<EventLog> {
  const { settings: config, chainId, logger, readOnly = false } = options
  const topic = toTopicName('governance', chainId)
  const closing = new AbortController()
  const signal = AbortSignal.any([closing.signal, ...(options.signal ? [options.signal] : [])])
  if (!readOnly) await ensureTopic(topic, { config, logger, signal })
  const partition = createPartition({ config, topic, signal: closing.signal })
  const reader = createKafkaReader(partition, closing.signal)
  const transactionalId = toTransactionalId(chainId)
  const appender = readOnly
    ? undefined
    : createFencedAppender({ config, topic, signal }, { transactionalId, partition })
  try {
    await appender?.settle()
    await reader.end()
  } catch (error) {
    closing.abort()
    throw error
  }
  const last: KafkaReader['last'] = async () => {
    // Every append of this process must be decided before the tail is read.
    await appender?.settle()
    return await reader.last()
  }
  return createLog({ closing, reader: { ...reader, last }, append: appender?.append })
}

export type KafkaSharedLogOptions = Omit<KafkaLogOptions, 'signal'> & { subject: SharedSubject }

export type KafkaSharedLog = {
  /** Ready for use at once: each call waits for the topic. */
  log: EventLog
  /** Resolves once the topic exists; `CONFIG_INVALID` if it would lose records. Waits for unavailable brokers. */
  checked: Promise<void>
}

/** A log with any number of writers: no leader, no fencing, one order for all. */
export function openKafkaSharedLog(options: KafkaSharedLogOptions): KafkaSharedLog {
  const { settings: config, chainId, subject, logger, readOnly = false } = options
  const topic = toTopicName(subject, chainId)
  const closing = new AbortController()
  const { signal } = closing
  const parts = { config, topic, signal, budgetMs: SHARED_CALL_MS }
  const reader = createKafkaReader(createPartition(parts), signal)
  const append = readOnly ? undefined : createSharedAppend(parts)
  // The topic or the brokers may be absent, because the services of a deployment may start in any order.
  const checked = handledLater(
    retry(() => ensureTopic(topic, { ...parts, logger }), {
      ...policies.dependency,
      signal,
      onRetry: ({ error }) => logger.warn({ topic, reason: error.message }, 'waited for a topic'),
    }),
  )
  return { log: createLog({ closing, ready: checked, reader, append }), checked }
}
