// Moves a log from the embedded log to Kafka and back without a change.
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import type { EventLog } from '../../infra/log/event-log.ts'
import { verifyLog } from '../../infra/tools/verify/verify-log.ts'
import { createKafkaLogStorage } from '../support/kafka/kafka-log-storage.ts'
import { computeFingerprints, type DemoLog, indexDemoChain } from '../support/log/demo-log.ts'
import { createLogMoves, fingerprintLog, importInto, never } from '../support/log/moved-log.ts'

let demo: DemoLog
let inKafka: EventLog
beforeAll(async () => {
  demo = await indexDemoChain(80)
  inKafka = await createKafkaLogStorage(inject('kafkaBrokers')).open()
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
