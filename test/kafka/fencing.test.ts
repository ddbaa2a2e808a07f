// Tests the log on Kafka with the contract of the event log, and a writer that another one replaces.
import kafkajs from 'kafkajs'
import { afterEach, describe, expect, inject, it } from 'vitest'
import type { EventLog } from '../../infra/base/log/event-log.ts'
import { toTransactionalId } from '../../infra/base/log/kafka-log.ts'
import { toTopicName } from '../../infra/base/log/kafka-topic.ts'
import { describeEventLog } from '../contracts/log.ts'
import { createKafkaLogStorage } from '../support/kafka/kafka-log-storage.ts'
import { createEntry, decodeText, readAll } from '../support/log/log-entries.ts'

const logs: EventLog[] = []
afterEach(async () => {
  for (const log of logs.splice(0)) await log.close()
})

const setup = async () => {
  const storage = createKafkaLogStorage(inject('kafkaBrokers'))
  const keep = (log: EventLog): EventLog => {
    logs.push(log)
    return log
  }
  const log = keep(await storage.open())
  return {
    storage,
    log,
    open: async () => keep(await storage.open()),
    openReader: async () => keep(await storage.openReader()),
  }
}

/** A writer that disappears after the start of a transaction. */
const leaveUndecided = async ({ chainId }: { chainId: string }, text: string): Promise<void> => {
  const brokers = inject('kafkaBrokers').split(',')
  const kafka = new kafkajs.Kafka({ brokers, logLevel: kafkajs.logLevel.NOTHING })
  const producer = kafka.producer({
    transactionalId: toTransactionalId(chainId),
    maxInFlightRequests: 1,
    createPartitioner: kafkajs.Partitioners.DefaultPartitioner,
  })
  await producer.connect()
  const transaction = await producer.transaction()
  await transaction.send({
    topic: toTopicName('governance', chainId),
    messages: [{ value: text, headers: { height: '2' } }],
  })
  await producer.disconnect()
}

describeEventLog('the log on Kafka', async () => createKafkaLogStorage(inject('kafkaBrokers')))

describe('a writer', () => {
  it('aborts the open transaction of its predecessor at once, and no reader sees it', async () => {
    const { storage, log, open, openReader } = await setup()
    await log.append([createEntry(1, 'first')])
    await leaveUndecided(storage, 'never decided')
    const reader = await openReader()
    const second = await open()
    expect(decodeText((await second.last())!)).toBe('first')
    await second.append([createEntry(2, 'second')])
    expect((await readAll(reader)).map(decodeText)).toEqual(['first', 'second'])
    expect(decodeText((await reader.last())!)).toBe('second')
  })

  it('gets an error at its next append after another one took over, and nothing of that append is stored', {
    tags: 'infra:one-writer',
  }, async () => {
    const { log, open } = await setup()
    await log.append([createEntry(1, 'first')])
    const second = await open()
    await expect(log.append([createEntry(2, 'late')])).rejects.toMatchObject({ code: 'LOG_FENCED' })
    await second.append([createEntry(2, 'second')])
    await expect(log.last()).rejects.toMatchObject({ code: 'LOG_FENCED' })
    expect((await readAll(second)).map(decodeText)).toEqual(['first', 'second'])
  })

  it('finds the last record before hundreds of aborted records', async () => {
    const { storage, log, open } = await setup()
    await log.append([createEntry(1, 'first')])
    for (let at = 0; at < 100; at++) await leaveUndecided(storage, 'never decided')
    const second = await open()
    expect(decodeText((await second.last())!)).toBe('first')
    expect(await second.offsetOfHeight(2)).toBe(await second.end())
    expect(await second.offsetOfHeight(1)).toBe(0n)
  })
})
