// Tests failures of brokers: the log has each height complete, once and in order.
import kafkajs from 'kafkajs'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { EventLog } from '../../infra/base/log/event-log.ts'
import { openKafkaLog } from '../../infra/base/log/kafka-log.ts'
import { toTopicName } from '../../infra/base/log/kafka-topic.ts'
import { appendWhile, findHeightFaults, LARGE, SMALL } from '../support/kafka/heights.ts'
import { kafkaConfig, ownChainId } from '../support/kafka/kafka-log-storage.ts'
import {
  type LocalBroker,
  type LocalKafka,
  startLocalKafka,
} from '../support/kafka/local-broker.ts'
import { silentLogger } from '../support/process/log-lines.ts'
import { checkRequirement } from '../support/suite/requirements.ts'

const AWAY_MS = 60_000
let kafka: LocalKafka
const logs: EventLog[] = []
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const setup = () => {
  const settings = kafkaConfig(kafka.brokers)
  const chainId = ownChainId()
  const open = async (readOnly = false) => {
    const log = await openKafkaLog({ settings, chainId, logger: silentLogger(), readOnly })
    logs.push(log)
    return log
  }
  return { topic: toTopicName('governance', chainId), open }
}

const admin = () =>
  new kafkajs.Kafka({
    brokers: kafka.brokers.split(','),
    logLevel: kafkajs.logLevel.NOTHING,
  }).admin()

type Partition = { leader: number; isr: number[] }

const readPartition = async (topic: string): Promise<Partition> => {
  const client = admin()
  await client.connect()
  try {
    const { topics } = await client.fetchTopicMetadata({ topics: [topic] })
    const { leader = -1, isr = [] } = topics[0]?.partitions[0] ?? {}
    return { leader, isr }
  } finally {
    await client.disconnect()
  }
}

const findLeader = async (topic: string): Promise<LocalBroker> => {
  const { leader } = await readPartition(topic)
  return kafka.nodes.find(({ id }) => id === leader)!
}

const untilAllInSync = async (topic: string): Promise<void> => {
  const giveUpMs = performance.now() + 90_000
  while ((await readPartition(topic)).isr.length < kafka.nodes.length) {
    if (performance.now() > giveUpMs) throw new Error('the brokers did not get in sync again')
    await pause(200)
  }
}

/** Reads until it has all records; returns the heights in read order. A failed test ends it. */
const follow = async (log: EventLog, count: () => number): Promise<number[]> => {
  const ending = new AbortController()
  onTestFinished(() => ending.abort())
  const { signal } = ending
  const heights: number[] = []
  for (let from = 0n; heights.length < count() && !signal.aborted; ) {
    await log.waitFor(from, { timeoutMs: 1_000, signal })
    const records = await log.read(from, { maxRecords: 500, maxBytes: 2 ** 20 }).catch(() => [])
    // A closed log answers at once: without a pause, the other tests would never get their turn.
    if (records.length === 0) await pause(20)
    heights.push(...records.map(({ height }) => height))
    const last = records.at(-1)
    if (last) from = last.offset + 1n
  }
  return heights
}

describe.skipIf(checkRequirement('java'))('three brokers', () => {
  beforeAll(async () => {
    kafka = await startLocalKafka({ brokers: 3 })
  })
  afterAll(async () => {
    await kafka?.stop()
  })
  afterEach(async () => {
    for (const log of logs.splice(0)) await log.close()
  })

  it('lose the leader in the middle of a transaction, each in turn, and no record is lost or repeated', async () => {
    const { topic, open } = setup()
    const log = await open()
    let height = 0
    let uncertain = 0
    let isWriting = true
    const writing = appendWhile(log, () => isWriting, {
      shape: LARGE,
      onAppended: (appended, wasUncertain) => {
        height = appended
        uncertain += wasUncertain ? 1 : 0
      },
    })
    const untilHeight = async (target: number) => {
      while (height < target) await Promise.race([pause(20), writing])
    }
    await untilHeight(5)
    const killed = new Set<number>()
    // A kill between two sends may have no effect, so kills repeat until one outcome is unknown.
    for (let kills = 0; kills < kafka.nodes.length || (uncertain === 0 && kills < 12); kills += 1) {
      const leader = await findLeader(topic)
      // The writer never pauses between two appends, so one is always active.
      await leader.stop('SIGKILL')
      killed.add(leader.id)
      await untilHeight(height + 10)
      await leader.start()
      await untilAllInSync(topic)
    }
    isWriting = false
    const heights = await writing
    expect(killed.size).toBeGreaterThanOrEqual(2)
    expect(uncertain).toBeGreaterThan(0)
    expect(await findHeightFaults(await open(true), heights, LARGE)).toEqual([])
  }, 480_000)

  it('are all unreachable for a minute: the writer then appends each height once, and a reader continues', async () => {
    const { open } = setup()
    const log = await open()
    const reader = await open(true)
    let appended = 0
    let isOver = false
    const writing = appendWhile(log, () => !isOver, {
      onAppended: (height) => {
        appended = height
      },
    })
    let total = Number.POSITIVE_INFINITY
    const following = follow(reader, () => total)
    while (appended < 20) await pause(20)
    await Promise.all(kafka.nodes.map((node) => node.stop('SIGKILL')))
    // Responses that were sent before the kill may still arrive.
    await pause(2_000)
    const before = appended
    await pause(AWAY_MS)
    expect(appended).toBe(before)
    await Promise.all(kafka.nodes.map((node) => node.start()))
    while (appended < before + 20) await Promise.race([pause(50), writing])
    isOver = true
    const heights = await writing
    total = heights * SMALL.entries
    expect(await findHeightFaults(await open(true), heights)).toEqual([])
    expect(await following).toEqual(
      Array.from({ length: total }, (_, at) => 1 + Math.floor(at / SMALL.entries)),
    )
  }, 300_000)
})
