// Compares appends to the log on Kafka with appends to the embedded log.
// It appends many heights at once, like a backfill, and one height after the other, like a live chain.
// Both sides flush as in production: SQLite to disk, Kafka to its log.
import { join } from 'node:path'
import { openEmbeddedLog } from '../../infra/base/log/embedded-log.ts'
import type { EventLog, LogEntry } from '../../infra/base/log/event-log.ts'
import { openKafkaLog } from '../../infra/base/log/kafka-log.ts'
import { kafkaForTests } from '../support/kafka/kafka-for-tests.ts'
import { kafkaConfig, ownChainId } from '../support/kafka/kafka-log-storage.ts'
import { silentLogger } from '../support/process/log-lines.ts'
import { computePercentile, computeSpread, type Finding, measurePairs } from './measure.ts'
import type { BenchContext, Measurement } from './measurement.ts'

const EVENT_BYTES = 600
const EVENTS_PER_HEIGHT = 5
/** The default of the backfill for one append. */
const BATCH_BYTES = 4 * 2 ** 20
const BATCHES = 12
const LIVE_HEIGHTS = 400
const LIVE_PAUSE_MS = 10

const GENESIS_MS = Date.UTC(2026, 0, 1)
const value = Buffer.alloc(EVENT_BYTES, 'governance ')

const heightAt = (height: number): LogEntry[] =>
  Array.from({ length: EVENTS_PER_HEIGHT }, () => ({
    height,
    timeMs: GENESIS_MS + height * 1000,
    value,
  }))

const HEIGHTS_PER_BATCH = Math.floor(BATCH_BYTES / (EVENT_BYTES * EVENTS_PER_HEIGHT))

const nextHeight = async (log: EventLog): Promise<number> => ((await log.last())?.height ?? 0) + 1

/** Events appended per second. */
const backfill = async (log: EventLog): Promise<number> => {
  const first = await nextHeight(log)
  const batches = Array.from({ length: BATCHES }, (_, batch) =>
    Array.from({ length: HEIGHTS_PER_BATCH }, (_, at) =>
      heightAt(first + batch * HEIGHTS_PER_BATCH + at),
    ).flat(),
  )
  const startedMs = performance.now()
  for (const batch of batches) await log.append(batch)
  const tookMs = performance.now() - startedMs
  return (batches.reduce((sum, { length }) => sum + length, 0) / tookMs) * 1000
}

/** Milliseconds per height. */
const live = async (log: EventLog): Promise<number[]> => {
  const first = await nextHeight(log)
  const took: number[] = []
  for (let at = 0; at < LIVE_HEIGHTS; at++) {
    const startedMs = performance.now()
    await log.append(heightAt(first + at))
    took.push(performance.now() - startedMs)
    await new Promise((resolve) => setTimeout(resolve, LIVE_PAUSE_MS))
  }
  return took
}

const formatPercentiles = (took: readonly number[]): string =>
  `p50 ${computePercentile(took, 0.5).toFixed(1)} ms, p99 ${computePercentile(took, 0.99).toFixed(1)} ms`

const liveFinding = (onKafka: readonly number[], onDisk: readonly number[]): Finding => ({
  name: 'kafka-append-live',
  unit: 'ms',
  subject: {
    label: 'one height on Kafka, until it is visible to every reader',
    figure: computeSpread(onKafka),
  },
  baseline: { label: 'the same on the embedded log', figure: computeSpread(onDisk) },
  ratio: computeSpread([computePercentile(onKafka, 0.5) / computePercentile(onDisk, 0.5)]),
  target: null,
  notes: [
    `Kafka: ${formatPercentiles(onKafka)}; embedded: ${formatPercentiles(onDisk)}`,
    `${LIVE_HEIGHTS} heights of ${EVENTS_PER_HEIGHT} events, ${LIVE_PAUSE_MS} ms apart; the ratio is of the medians`,
  ],
})

const run = async ({ scope, pairs, log: tell }: BenchContext): Promise<readonly Finding[]> => {
  const kafka = await kafkaForTests(tell)
  scope.onEnd(kafka.stop)
  const onKafka = await openKafkaLog({
    settings: kafkaConfig(kafka.brokers),
    chainId: ownChainId(),
    logger: silentLogger(),
  })
  scope.onEnd(onKafka.close)
  const onDisk = await openEmbeddedLog({ path: join(scope.directory('kafka-append'), 'log') })
  scope.onEnd(onDisk.close)
  // Warms up both sides; the first transaction of a broker also creates a topic.
  for (const log of [onKafka, onDisk]) await backfill(log)
  const measured = await measurePairs(
    { subject: () => backfill(onKafka), baseline: () => backfill(onDisk) },
    { pairs, log: tell },
  )
  const [liveOnKafka, liveOnDisk] = [await live(onKafka), await live(onDisk)]
  return [
    {
      name: 'kafka-append',
      unit: 'events/s',
      subject: { label: 'appends of 4 MiB to Kafka', figure: measured.subject },
      baseline: { label: 'the same to the embedded log', figure: measured.baseline },
      ratio: measured.ratio,
      target: null,
      notes: [
        `${kafka.source}; ${HEIGHTS_PER_BATCH * EVENTS_PER_HEIGHT} events of ${EVENT_BYTES} bytes in an append`,
      ],
    },
    liveFinding(liveOnKafka, liveOnDisk),
  ]
}

export const kafkaAppend: Measurement = {
  name: 'kafka-append',
  question: 'what does appending to Kafka cost compared with the embedded log?',
  run,
}
