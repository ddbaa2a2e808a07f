// Moves a log from the embedded log to Kafka and back without a change. Other CloudEvents programs can read it there.
import kafkajs, { type IHeaders } from 'kafkajs'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { verifyLog } from '../../infra/app/tools/verify/log.ts'
import type { EventLog } from '../../infra/base/log/event-log.ts'
import { toTopicName } from '../../infra/base/log/kafka-topic.ts'
import { createKafkaLogStorage, type KafkaLogStorage } from '../support/kafka/kafka-log-storage.ts'
import { computeFingerprints, type DemoLog, indexDemoChain } from '../support/log/demo-log.ts'
import { createLogMoves, fingerprintLog, importInto, never } from '../support/log/moved-log.ts'

let demo: DemoLog
let inKafka: EventLog
let storage: KafkaLogStorage
beforeAll(async () => {
  demo = await indexDemoChain(80)
  storage = createKafkaLogStorage(inject('kafkaBrokers'))
  inKafka = await storage.open()
})
afterAll(async () => {
  await inKafka.close()
  await demo.remove()
})

const { exportTo } = createLogMoves(() => demo)

it('a log moves to Kafka in two parts, is verified there, and returns byte for byte', {
  tags: 'infra:export-is-exact',
}, async () => {
  const part = await exportTo('part.ndjson.gz', { to: 40 })
  const whole = await exportTo('whole.ndjson.gz')
  await importInto(inKafka, part.file)
  expect(await importInto(inKafka, whole.file)).toMatchObject({ height: 80 })
  expect(await importInto(inKafka, whole.file)).toMatchObject({ appended: 0, height: 80 })
  const proved = await verifyLog({ log: inKafka, signal: never, onProgress: () => {} })
  expect([proved.violations, proved.figures.records]).toEqual([[], demo.records.length])

  const back = await exportTo('back.ndjson', { log: inKafka })
  expect(back.sha256).toBe(whole.sha256)
  const copy = await demo.createLog()
  await importInto(copy, back.file)
  expect(await fingerprintLog(copy)).toEqual(computeFingerprints(demo.records))
})

/** The header fields of the first records, as a consumer of another program gets them. */
const consumeHeaders = async (count: number): Promise<IHeaders[]> => {
  const brokers = inject('kafkaBrokers').split(',')
  const kafka = new kafkajs.Kafka({ brokers, logLevel: kafkajs.logLevel.NOTHING })
  const consumer = kafka.consumer({ groupId: `reader-of-${storage.chainId}` })
  const found: IHeaders[] = []
  try {
    await consumer.connect()
    const topic = toTopicName('governance', storage.chainId)
    await consumer.subscribe({ topic, fromBeginning: true })
    await consumer.run({ eachMessage: async ({ message }) => void found.push(message.headers!) })
    await expect.poll(() => found.length).toBeGreaterThanOrEqual(count)
  } finally {
    await consumer.disconnect()
  }
  return found
}

it('a consumer of another program recognizes each record as a CloudEvent', async () => {
  await importInto(inKafka, (await exportTo('seen.ndjson')).file)
  const headers = await consumeHeaders(demo.records.length)
  const types = new Set(headers.map((each) => String(each['content-type'])))
  expect([...types]).toEqual(['application/cloudevents+json'])
})
