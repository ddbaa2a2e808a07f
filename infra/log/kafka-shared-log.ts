// A log on Apache Kafka that any number of processes append to: nobody leads, nobody is fenced, all see one order.
import { randomUUID } from 'node:crypto'
import { AppError } from '../runtime/errors.ts'
import type { Logger } from '../runtime/logger.ts'
import { retry } from '../runtime/retry.ts'
import { refuseLargeEntries } from './entry-size.ts'
import type { EventLog } from './event-log.ts'
import { createAppender } from './kafka-appender.ts'
import { createPartition } from './kafka-partition.ts'
import { createKafkaReader, type KafkaReader } from './kafka-reader.ts'
import type { KafkaConfig } from './kafka-settings.ts'
import { ensureTopic, type SharedSubject, topicOf } from './kafka-topic.ts'
import { createKafkaWriter } from './kafka-writer.ts'

export type KafkaSharedLogOptions = {
  settings: KafkaConfig
  chainId: string
  subject: SharedSubject
  logger: Logger
  readOnly?: boolean
}

export type KafkaSharedLog = {
  /** At once usable: each call waits for the topic. */
  log: EventLog
  /** Resolves once the topic is there; `CONFIG_INVALID` where it would lose records. Waits for brokers that are away. */
  checked: Promise<void>
}

/** Less than those who ask wait for an answer. */
const CALL_BUDGET_MS = 4_000

/** Where the topic may be missing or its brokers away, in whichever order a deployment's parts are started. */
const prepare = async (
  topic: string,
  { settings: config, logger }: KafkaSharedLogOptions,
  signal: AbortSignal,
): Promise<void> => {
  await retry(() => ensureTopic(topic, { config, logger, signal }), {
    limit: Number.POSITIVE_INFINITY,
    budgetMs: Number.POSITIVE_INFINITY,
    baseDelayMs: 200,
    maxDelayMs: 5_000,
    signal,
    onRetry: ({ error }) => logger.warn({ topic, reason: error.message }, 'waited for a topic'),
  })
}

export const openKafkaSharedLog = (options: KafkaSharedLogOptions): KafkaSharedLog => {
  const { settings: config, chainId, subject, logger, readOnly = false } = options
  const topic = topicOf(subject, chainId)
  const closing = new AbortController()
  const { signal } = closing
  const open = () => createPartition({ config, topic, logger, budgetMs: CALL_BUDGET_MS })
  // Two connections: a broker answers one call after the other, and a follower's wait is long.
  const [followed, partition] = [open(), open()]
  const [follower, tail] = [followed, partition].map((each) => createKafkaReader(each, signal)) as [
    KafkaReader,
    KafkaReader,
  ]
  let seen = 0n
  const see = (offset: bigint): bigint => {
    if (offset > seen) seen = offset
    return offset
  }
  const writer = createKafkaWriter({
    ...{ config, topic, logger, partition, signal, shared: true },
    transactionalId: `rollcall-${subject}-${chainId}-${randomUUID()}`,
  })
  const append = createAppender({ topic, partition, tail, writer, signal, seen: () => seen })
  const checked = prepare(topic, options, signal)
  checked.catch(() => {})

  const whenReady = <Parameters extends unknown[], T>(
    call: (...parameters: Parameters) => Promise<T>,
  ) => {
    return async (...parameters: Parameters): Promise<T> => {
      if (signal.aborted) throw new AppError('LOG_UNAVAILABLE', 'the event log is closed')
      await checked
      return await call(...parameters)
    }
  }
  const log: EventLog = {
    append: whenReady(async (entries) => {
      if (readOnly) throw new AppError('LOG_FENCED', 'this process opened the log to read only')
      refuseLargeEntries(entries)
      return entries.length === 0 ? await tail.end() : see(await append(entries))
    }),
    read: whenReady(async (from, limits) => {
      const records = await follower.read(from, limits)
      const last = records.at(-1)
      if (last) see(last.offset + 1n)
      return records
    }),
    waitFor: whenReady(follower.waitFor),
    last: whenReady(tail.last),
    end: whenReady(tail.end),
    offsetOfHeight: whenReady(async (height) => see(await tail.offsetOfHeight(height))),
    close: async () => {
      closing.abort()
      writer.close()
      followed.close()
      partition.close()
    },
  }
  return { log, checked }
}
