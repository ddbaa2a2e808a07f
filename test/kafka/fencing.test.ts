// What two writers, and a reader among them, do to each other: the later writer wins, a reader disturbs nobody.
import kafkajs from 'kafkajs'
import { afterEach, describe, expect, inject, it } from 'vitest'
import type { EventLog } from '../../infra/log/event-log.ts'
import { toTransactionalId } from '../../infra/log/kafka-log.ts'
import { toTopicName } from '../../infra/log/kafka-topic.ts'
import { createKafkaLogStorage } from '../support/kafka/kafka-log-storage.ts'
import { createEntry, decodeText, readAll } from '../support/log/event-log-contract.ts'

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

/** A writer that began a transaction and then was never heard of again. */
const leaveUndecided = async ({ chainId }: { chainId: string }, text: string): Promise<void> => {
  const brokers = inject('kafkaBrokers').split(',')
  const kafka = new kafkajs.Kafka({ brokers, logLevel: kafkajs.logLevel.NOTHING })
  const producer = kafka.producer({
    transactionalId: toTransactionalId('governance', chainId),
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

describe('a writer', () => {
  it('ends the transaction that its predecessor left open, at once, and nobody ever reads of it', async () => {
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

  it('is told at its next append that another one took over, and nothing of that append is there', {
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

  it('finds the last record behind hundreds of records that were aborted', async () => {
    const { storage, log, open } = await setup()
    await log.append([createEntry(1, 'first')])
    for (let at = 0; at < 100; at++) await leaveUndecided(storage, 'never decided')
    const second = await open()
    expect(decodeText((await second.last())!)).toBe('first')
    expect(await second.offsetOfHeight(2)).toBe(await second.end())
    expect(await second.offsetOfHeight(1)).toBe(0n)
  })
})

describe('a reader', () => {
  it('may not append, and fences nobody by opening the log', async () => {
    const { log, openReader } = await setup()
    await log.append([createEntry(1)])
    const reader = await openReader()
    await expect(reader.append([createEntry(2)])).rejects.toMatchObject({ code: 'LOG_FENCED' })
    await log.append([createEntry(2)])
    expect(await readAll(reader)).toHaveLength(2)
  })

  it('that is slow reads every record once, in order, while a writer goes on', async () => {
    const { log, openReader } = await setup()
    const reader = await openReader()
    const { signal } = new AbortController()
    const heights: number[] = []
    const reading = (async () => {
      for (let from = 0n; heights.length < 300; ) {
        await reader.waitFor(from, { timeoutMs: 5_000, signal })
        for (const record of await reader.read(from, { maxRecords: 7, maxBytes: 10_000 })) {
          heights.push(record.height)
          from = record.offset + 1n
        }
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    })()
    for (let height = 1; height <= 300; height++) await log.append([createEntry(height)])
    await reading
    expect(heights).toEqual(Array.from({ length: 300 }, (_, at) => at + 1))
  })
})
