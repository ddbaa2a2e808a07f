// The logs on Apache Kafka: one partition, one transaction per append, committed records only. One has a fenced writer, the
// other one any number of writers.
import { randomUUID } from 'node:crypto'
import { AppError } from '../runtime/errors.ts'
import type { Logger } from '../runtime/logger.ts'
import { policies } from '../runtime/policies.ts'
import { handledLater } from '../runtime/promises.ts'
import { retry } from '../runtime/retry.ts'
import { refuseLargeEntries } from './entry-size.ts'
import type { EventLog } from './event-log.ts'
import { createPartition } from './kafka-partition.ts'
import { createKafkaReader } from './kafka-reader.ts'
import type { KafkaConfig } from './kafka-settings.ts'
import { ensureTopic, type SharedSubject, toTopicName } from './kafka-topic.ts'
import { createAppender, createKafkaWriter } from './kafka-writer.ts'

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

const readOnlyError = () => new AppError('LOG_FENCED', 'this process opened the log to read only')

/** Makes a call wait for `ready` first, and refuses or ends it with `LOG_UNAVAILABLE` once `closing` has fired. */
const whileOpen =
  (closing: AbortSignal, ready?: Promise<void>) =>
  <Parameters extends unknown[], T>(call: (...parameters: Parameters) => Promise<T>) =>
  async (...parameters: Parameters): Promise<T> => {
    try {
      closing.throwIfAborted()
      await ready
      return await call(...parameters)
    } catch (cause) {
      if (!closing.aborted) throw cause
      throw new AppError('LOG_UNAVAILABLE', 'the event log is closed', { cause })
    }
  }

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
  const partition = createPartition({ config, topic, logger, signal: closing.signal })
  const reader = createKafkaReader(partition, closing.signal)
  const transactionalId = toTransactionalId(chainId)
  const parts = { config, topic, transactionalId, logger, partition, signal }
  const writer = readOnly ? undefined : createKafkaWriter(parts)
  try {
    await writer?.recover()
    await reader.end()
  } catch (error) {
    closing.abort()
    throw error
  }
  const guard = whileOpen(closing.signal)
  return {
    append: guard(async (entries) => {
      if (!writer) throw readOnlyError()
      refuseLargeEntries(entries)
      return entries.length === 0 ? await reader.end() : await writer.append(entries)
    }),
    last: guard(async () => {
      // Every append of this process must be decided before the tail is read.
      await writer?.recover()
      return await reader.last()
    }),
    read: guard(reader.read),
    waitFor: reader.waitFor,
    end: guard(reader.end),
    offsetOfHeight: guard(reader.offsetOfHeight),
    close: async () => closing.abort(),
  }
}

export type KafkaSharedLogOptions = {
  settings: KafkaConfig
  chainId: string
  subject: SharedSubject
  logger: Logger
  readOnly?: boolean
}

export type KafkaSharedLog = {
  /** Ready for use at once: each call waits for the topic. */
  log: EventLog
  /** Resolves once the topic exists; `CONFIG_INVALID` if it would lose records. Waits for unavailable brokers. */
  checked: Promise<void>
}

/** Less than the deadlines of the callers. */
const CALL_BUDGET_MS = 4_000

/** A log with any number of writers: no leader, no fencing, one order for all. */
export function openKafkaSharedLog(options: KafkaSharedLogOptions): KafkaSharedLog {
  const { settings: config, chainId, subject, logger, readOnly = false } = options
  const topic = toTopicName(subject, chainId)
  const closing = new AbortController()
  const { signal } = closing
  const parts = { config, topic, logger, signal, budgetMs: CALL_BUDGET_MS }
  // Two connections: a broker handles fetches one after the other, and a follower waits long.
  const follower = createKafkaReader(createPartition(parts), signal)
  const partition = createPartition(parts)
  const tail = createKafkaReader(partition, signal)
  const transactionalId = `rollcall-${subject}-${chainId}-${randomUUID()}`
  const writer = createKafkaWriter({ ...parts, transactionalId, partition, shared: true })
  const append = createAppender({ topic, partition, tail, writer, signal })
  // The topic or the brokers may be absent, because the services of a deployment may start in any order.
  const checked = handledLater(
    retry(() => ensureTopic(topic, parts), {
      ...policies.dependency,
      signal,
      onRetry: ({ error }) => logger.warn({ topic, reason: error.message }, 'waited for a topic'),
    }),
  )
  const guard = whileOpen(signal, checked)
  const log: EventLog = {
    append: guard(async (entries) => {
      if (readOnly) throw readOnlyError()
      refuseLargeEntries(entries)
      return entries.length === 0 ? await tail.end() : await append(entries)
    }),
    read: guard(follower.read),
    waitFor: guard(follower.waitFor),
    last: guard(tail.last),
    end: guard(tail.end),
    offsetOfHeight: guard(tail.offsetOfHeight),
    close: async () => closing.abort(),
  }
  return { log, checked }
}
