// A log on Apache Kafka with any number of writers: no leader, no fencing, one order for all.
import { randomUUID } from 'node:crypto'
import type { Logger } from '../runtime/logger.ts'
import { policies } from '../runtime/policies.ts'
import { handledLater } from '../runtime/promises.ts'
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

export const openKafkaSharedLog = (options: KafkaSharedLogOptions): KafkaSharedLog => {
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
