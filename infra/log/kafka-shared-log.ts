// A log on Apache Kafka with any number of writers: no leader, no fencing, one order for all.
import { randomUUID } from 'node:crypto'
import type { Logger } from '../runtime/logger.ts'
import { retry } from '../runtime/retry.ts'
import { refuseLargeEntries } from './entry-size.ts'
import type { EventLog } from './event-log.ts'
import { createAppender } from './kafka-appender.ts'
import { readOnlyError, whileOpen } from './kafka-log.ts'
import { createPartition } from './kafka-partition.ts'
import { createKafkaReader } from './kafka-reader.ts'
import type { KafkaConfig } from './kafka-settings.ts'
import { ensureTopic, type SharedSubject, toTopicName } from './kafka-topic.ts'
import { createKafkaWriter } from './kafka-writer.ts'

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
/** The topic or the brokers may be absent, because the services of a deployment may start in any order. */
const CHECK_PACE = {
  limit: Number.POSITIVE_INFINITY,
  budgetMs: Number.POSITIVE_INFINITY,
  baseDelayMs: 200,
  maxDelayMs: 5_000,
}

export const openKafkaSharedLog = (options: KafkaSharedLogOptions): KafkaSharedLog => {
  const { settings: config, chainId, subject, logger, readOnly = false } = options
  const topic = toTopicName(subject, chainId)
  const closing = new AbortController()
  const { signal } = closing
  const open = () => {
    const partition = createPartition({ config, topic, logger, budgetMs: CALL_BUDGET_MS })
    return { partition, reader: createKafkaReader(partition, signal) }
  }
  // Two connections: a broker handles fetches one after the other, and a follower waits long.
  const { partition: followed, reader: follower } = open()
  const { partition, reader: tail } = open()
  let seen = 0n
  const see = (offset: bigint): bigint => {
    if (offset > seen) seen = offset
    return offset
  }
  const writer = createKafkaWriter({
    config,
    topic,
    logger,
    partition,
    signal,
    shared: true,
    transactionalId: `rollcall-${subject}-${chainId}-${randomUUID()}`,
  })
  const append = createAppender({ topic, partition, tail, writer, signal, seen: () => seen })
  const checked = retry(() => ensureTopic(topic, { config, logger, signal }), {
    ...CHECK_PACE,
    signal,
    onRetry: ({ error }) => logger.warn({ topic, reason: error.message }, 'waited for a topic'),
  })
  checked.catch(() => {})
  const guard = whileOpen(signal, checked)
  const log: EventLog = {
    append: guard(async (entries) => {
      if (readOnly) throw readOnlyError()
      refuseLargeEntries(entries)
      return entries.length === 0 ? await tail.end() : see(await append(entries))
    }),
    read: guard(async (from, limits) => {
      const records = await follower.read(from, limits)
      const last = records.at(-1)
      if (last) see(last.offset + 1n)
      return records
    }),
    waitFor: guard(follower.waitFor),
    last: guard(tail.last),
    end: guard(tail.end),
    offsetOfHeight: guard(async (height) => see(await tail.offsetOfHeight(height))),
    close: async () => {
      closing.abort()
      writer.close()
      for (const each of [followed, partition]) each.close()
    },
  }
  return { log, checked }
}
