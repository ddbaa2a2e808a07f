// Tests a log on Kafka with many writers: the common contract, and after any kill or broker fault, no fact is lost, repeated or moved.
import { afterEach, describe, expect, inject, it, onTestFinished } from 'vitest'
import { describeAppender } from '../contracts/appender.ts'
import { appendFacts, type FactProgress, findFactFaults } from '../support/kafka/facts.ts'
import { openAgentsTopic, ownChainId } from '../support/kafka/kafka-log-storage.ts'
import { startLocalKafka } from '../support/kafka/local-broker.ts'
import { startChild } from '../support/process/child.ts'
import { until } from '../support/process/rollcall-process.ts'
import { checkRequirement } from '../support/suite/requirements.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const open = (brokers: string, chainId: string, options = {}) => {
  const opened = openAgentsTopic(brokers, chainId, options)
  closing.push(() => opened.log.close())
  return opened
}

const countFacts = (progress: readonly FactProgress[]) =>
  progress.filter((each) => 'appended' in each).length

describeAppender('a shared log on Kafka', async () => {
  const [brokers, chainId] = [inject('kafkaBrokers'), ownChainId()]
  return {
    open: async () => openAgentsTopic(brokers, chainId).log,
    openReader: async () => openAgentsTopic(brokers, chainId, { readOnly: true }).log,
    remove: async () => {},
  }
})

describe('a shared log on Kafka', () => {
  it('loses and repeats nothing of a process that is killed during an append, and the others continue', async () => {
    const [brokers, chainId] = [inject('kafkaBrokers'), ownChainId()]
    const progress: FactProgress[] = []
    let isWriting = true
    const { log } = open(brokers, chainId)
    const here = appendFacts(log, 'here', {
      shouldContinue: () => isWriting,
      report: (each) => progress.push(each),
    })
    for (let life = 0; life < 5; life++) {
      const script = new URL('../support/kafka/fact-writer.ts', import.meta.url)
      const child = startChild(script, [brokers, chainId, `life-${life}`])
      // Each kill hits a different point of an append: the process never pauses between appends.
      const enough = 10 + life * 7
      await child.line(({ appended }) => appended === `life-${life} ${enough}`)
      await child.kill('SIGKILL')
      progress.push(...(child.lines as FactProgress[]))
    }
    const before = countFacts(progress)
    await until('the others append again', 60_000, () =>
      countFacts(progress) > before + 20 ? true : undefined,
    )
    isWriting = false
    await here
    expect(await findFactFaults(open(brokers, chainId, { readOnly: true }).log, progress)).toEqual(
      [],
    )
  })
})

describe.skipIf(checkRequirement('java'))('a broker that is killed and restarted', () => {
  it('loses no acknowledged fact, repeats none, and all writers continue', async () => {
    const kafka = await startLocalKafka()
    onTestFinished(() => kafka.stop())
    const chainId = ownChainId()
    const progress: FactProgress[] = []
    let isWriting = true
    const writing = ['a', 'b'].map((name) =>
      appendFacts(open(kafka.brokers, chainId).log, name, {
        shouldContinue: () => isWriting,
        report: (each) => progress.push(each),
      }),
    )
    const untilMore = (count: number) => {
      const goal = countFacts(progress) + count
      return until(`${count} more facts`, 90_000, () =>
        countFacts(progress) >= goal ? true : undefined,
      )
    }
    await untilMore(50)
    for (let time = 0; time < 3; time++) {
      await kafka.nodes[0]?.stop('SIGKILL')
      await kafka.nodes[0]?.start()
      await untilMore(50)
    }
    isWriting = false
    await Promise.all(writing)
    const { log } = open(kafka.brokers, chainId, { readOnly: true })
    expect(await findFactFaults(log, progress)).toEqual([])
  }, 300_000)

  it('delays the start if it is unreachable at first', async () => {
    const kafka = await startLocalKafka()
    onTestFinished(() => kafka.stop())
    await kafka.nodes[0]?.stop()
    const { log, checked } = open(kafka.brokers, ownChainId())
    await kafka.nodes[0]?.start()
    await checked
    expect(await log.append([{ height: 1, timeMs: 1, value: Buffer.from('fact') }])).toBe(1n)
  })
})
