// Measures the time from a block until its facts are served. The baseline is the block interval of the chain.
// A ratio of 4 means a quarter of the interval. A second measurement compares Kafka with the embedded log.
import { kafkaForTests } from '../support/kafka/kafka-for-tests.ts'
import { type BlockToApi, blockToApi, POLL_MS } from './block-to-api.ts'
import { computePercentile, computeSpread } from './measure.ts'
import type { BenchContext, Measurement } from './measurement.ts'
import { scoped } from './scope.ts'

const shown = (values: readonly number[]): string =>
  `p50 ${computePercentile(values, 0.5).toFixed(0)} ms, p99 ${computePercentile(values, 0.99).toFixed(0)} ms`

const factsNote = ({ ofFacts, unseen }: BlockToApi): string =>
  `${shown(ofFacts)} after their block (${ofFacts.length} facts, ${unseen} not seen)`

const run = async (context: BenchContext) => {
  const measured = await blockToApi(context)
  const { ofFacts, ofHeights, interval } = measured
  return [
    {
      name: 'latency',
      unit: 'ms',
      subject: { label: 'height released to fact served', figure: computeSpread(ofFacts) },
      baseline: { label: 'the chain’s own block interval', figure: interval },
      ratio: {
        median: interval.median / computePercentile(ofFacts, 0.5),
        min: interval.median / Math.max(...ofFacts),
        max: interval.median / Math.min(...ofFacts),
      },
      target: null,
      notes: [
        `facts in the api: ${factsNote(measured)}`,
        `every height, also quiet ones (they share markers): asOf ${shown(ofHeights)} (${ofHeights.length} heights)`,
        `polled every ${POLL_MS} ms; the ratio is the interval divided by the latency`,
      ],
    },
  ]
}

export const latency: Measurement = {
  name: 'latency',
  question: 'how long after its block is a vote served?',
  run,
}

const runOnKafka = async (context: BenchContext) => {
  const kafka = await kafkaForTests(context.log)
  context.scope.onEnd(kafka.stop)
  // One run after the other, each with its own processes.
  const on = (brokers?: string) => scoped((scope) => blockToApi({ ...context, scope }, brokers))
  const onKafka = await on(kafka.brokers)
  const embedded = await on()
  const [subject, baseline] = [onKafka, embedded].map(({ ofFacts }) =>
    computePercentile(ofFacts, 0.5),
  )
  const ratio = (subject ?? 0) / (baseline ?? 1)
  return [
    {
      name: 'kafka-latency',
      unit: 'ms',
      subject: { label: 'fact served, through Kafka', figure: computeSpread(onKafka.ofFacts) },
      baseline: { label: 'fact served, embedded log', figure: computeSpread(embedded.ofFacts) },
      ratio: { median: ratio, min: ratio, max: ratio },
      target: null,
      notes: [
        `through Kafka: ${factsNote(onKafka)}`,
        `on the embedded log: ${factsNote(embedded)}`,
        'the figures are times: a ratio of 2 means that Kafka takes twice as long',
      ],
    },
  ]
}

export const latencyOnKafka: Measurement = {
  name: 'kafka-latency',
  question: 'how much later is a vote served through Kafka?',
  run: runOnKafka,
}
