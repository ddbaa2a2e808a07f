// Tests the topic of a log: Rollcall creates it with full retention, rejects unsuitable topics, and readers create none.
import kafkajs, { type Admin, type ITopicConfig } from 'kafkajs'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { checkKafka } from '../../infra/app/doctor/areas.ts'
import { openKafkaLog } from '../../infra/base/log/kafka-log.ts'
import { toTopicName } from '../../infra/base/log/kafka-topic.ts'
import { kafkaConfig, ownChainId } from '../support/kafka/kafka-log-storage.ts'
import { createEntry, readAll } from '../support/log/log-entries.ts'
import { silentLogger } from '../support/process/log-lines.ts'

let admin: Admin
beforeAll(async () => {
  const brokers = inject('kafkaBrokers').split(',')
  admin = new kafkajs.Kafka({ brokers, logLevel: kafkajs.logLevel.NOTHING }).admin()
  await admin.connect()
})
afterAll(() => admin.disconnect())

const settings = () => kafkaConfig(inject('kafkaBrokers'))
const logger = silentLogger()

const readTopicSettings = async (topic: string): Promise<Record<string, string>> => {
  const type = kafkajs.ConfigResourceTypes.TOPIC
  const found = await admin.describeConfigs({
    includeSynonyms: false,
    resources: [{ type, name: topic }],
  })
  const entries = found.resources[0]?.configEntries ?? []
  return Object.fromEntries(entries.map(({ configName, configValue }) => [configName, configValue]))
}

/** Opens a log to write in an existing topic. */
const openIn = async (made: Omit<ITopicConfig, 'topic'>) => {
  const chainId = ownChainId()
  const topic = toTopicName('governance', chainId)
  await admin.createTopics({ topics: [{ topic, ...made }], waitForLeaders: true })
  return openKafkaLog({ settings: settings(), chainId, logger })
}

const KEEPING = [
  { name: 'retention.ms', value: '-1' },
  { name: 'max.message.bytes', value: '16777216' },
]

describe('the topic of a log', () => {
  it('is created with one partition and unlimited retention', async () => {
    const chainId = ownChainId()
    const topic = toTopicName('governance', chainId)
    const log = await openKafkaLog({ settings: settings(), chainId, logger })
    await log.close()
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] })
    expect(topics[0]?.partitions).toHaveLength(1)
    expect(await readTopicSettings(topic)).toMatchObject({
      'cleanup.policy': 'delete',
      'retention.ms': '-1',
      'retention.bytes': '-1',
      'max.message.bytes': '16777216',
      'min.insync.replicas': '1',
      'unclean.leader.election.enable': 'false',
    })
  })

  it('is used unchanged if an operator created it correctly', async () => {
    const log = await openIn({ numPartitions: 1, configEntries: KEEPING })
    await log.append([createEntry(1, 'a')])
    expect(await readAll(log)).toHaveLength(1)
    await log.close()
  })

  it('is rejected if it would lose events, with the command that fixes it', async () => {
    const opening = openIn({ numPartitions: 1, configEntries: KEEPING.slice(1) })
    const problem =
      /retention\.ms is 604800000.*kafka-configs\.sh .* --add-config retention\.ms=-1$/s
    await expect(opening).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(problem),
    })
  })

  it('is reported with its problem by doctor', async () => {
    const chainId = ownChainId()
    const { signal } = new AbortController()
    const diagnose = () => checkKafka(settings(), chainId, signal)
    const [reached, absent, agents] = await diagnose()
    expect([reached?.level, absent?.level]).toEqual(['ok', 'problem'])
    expect(agents?.message).toContain(toTopicName('agents', chainId))
    const log = await openKafkaLog({ settings: settings(), chainId, logger })
    await log.close()
    const [, keeps, copies] = await diagnose()
    expect(keeps).toMatchObject({ level: 'ok' })
    expect(copies).toMatchObject({
      level: 'warning',
      message: expect.stringContaining('only 1 replica'),
    })
    const alter = { name: 'retention.ms', value: '604800000' }
    const resource = {
      type: kafkajs.ConfigResourceTypes.TOPIC,
      name: toTopicName('governance', chainId),
    }
    await admin.alterConfigs({
      validateOnly: false,
      resources: [{ ...resource, configEntries: [alter] }],
    })
    const [, loses] = await diagnose()
    expect(loses).toMatchObject({ level: 'problem', remedy: expect.stringContaining('--alter') })
  })

  it('is not created by a reader, which reports that it is missing', async () => {
    const chainId = ownChainId()
    const opening = openKafkaLog({ settings: settings(), chainId, logger, readOnly: true })
    const topic = toTopicName('governance', chainId)
    await expect(opening).rejects.toMatchObject({
      code: 'LOG_UNAVAILABLE',
      retryable: true,
      message: `there is no topic ${topic} yet`,
    })
    expect(await admin.listTopics()).not.toContain(topic)
  })
})

describe('a log without its deleted first records', () => {
  it('is reported as damaged to a reader from the start, with the first complete position', async () => {
    const chainId = ownChainId()
    const log = await openKafkaLog({ settings: settings(), chainId, logger })
    for (const height of [1, 2, 3]) await log.append([createEntry(height)])
    const offset = String(await log.offsetOfHeight(2))
    // The client must have the metadata of the topic before it can delete in it.
    await admin.fetchTopicOffsets(toTopicName('governance', chainId))
    await admin.deleteTopicRecords({
      topic: toTopicName('governance', chainId),
      partitions: [{ partition: 0, offset }],
    })
    const reader = await openKafkaLog({ settings: settings(), chainId, logger, readOnly: true })
    await expect(reader.read(0n, { maxRecords: 1, maxBytes: 1 })).rejects.toMatchObject({
      code: 'LOG_DAMAGED',
      message: expect.stringContaining(`offset ${offset}`),
    })
    expect(await readAll(reader, BigInt(offset))).toHaveLength(2)
    await reader.close()
    await log.close()
  })
})
