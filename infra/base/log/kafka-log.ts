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
import { createKafkaAppender, type KafkaAppender } from './kafka-appender.ts'
import { createPartition } from './kafka-partition.ts'
import { createKafkaReader, type KafkaReader } from './kafka-reader.ts'
import type { KafkaConfig } from './kafka-settings.ts'
import { ensureTopic, type SharedSubject, toTopicName } from './kafka-topic.ts'

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

type Parts = {
  closing: AbortController
  /** Every call waits for it first. */
  ready?: Promise<void>
  follower: KafkaReader
  tail: KafkaReader
  /** Absent in a process that only reads. */
  appender: KafkaAppender | undefined
}

const createLog = ({ closing, ready, follower, tail, appender }: Parts): EventLog => {
  const guard = whileOpen(closing.signal, ready)
  return {
    append: guard(async (entries) => {
      if (!appender) throw new AppError('LOG_FENCED', 'this process opened the log to read only')
      refuseLargeEntries(entries)
      return entries.length === 0 ? await tail.end() : await appender.append(entries)
    }),
    read: guard(follower.read),
    waitFor: ready ? guard(follower.waitFor) : follower.waitFor,
    last: guard(tail.last),
    end: guard(tail.end),
    offsetOfHeight: guard(tail.offsetOfHeight),
    close: async () => closing.abort(),
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
  const partition = createPartition({ config, topic, signal: closing.signal })
  const reader = createKafkaReader(partition, closing.signal)
  const transactionalId = toTransactionalId(chainId)
  const parts = { config, topic, transactionalId, partition, tail: reader, signal }
  const appender = readOnly ? undefined : createKafkaAppender(parts)
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
  return createLog({ closing, follower: reader, tail: { ...reader, last }, appender })
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
  const parts = { config, topic, signal, budgetMs: CALL_BUDGET_MS }
  // Two connections: a broker handles fetches one after the other, and a follower waits long.
  const follower = createKafkaReader(createPartition(parts), signal)
  const partition = createPartition(parts)
  const tail = createKafkaReader(partition, signal)
  const transactionalId = `rollcall-${subject}-${chainId}-${randomUUID()}`
  const appender = readOnly
    ? undefined
    : createKafkaAppender({ ...parts, transactionalId, partition, tail, shared: true })
  // The topic or the brokers may be absent, because the services of a deployment may start in any order.
  const checked = handledLater(
    retry(() => ensureTopic(topic, { ...parts, logger }), {
      ...policies.dependency,
      signal,
      onRetry: ({ error }) => logger.warn({ topic, reason: error.message }, 'waited for a topic'),
    }),
  )
  return { log: createLog({ closing, ready: checked, follower, tail, appender }), checked }
}
