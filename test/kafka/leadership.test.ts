// Tests leadership: one of several processes leads, and another takes over after its end, never two at once.
import { afterEach, describe, expect, inject, it } from 'vitest'
import { createKafkaLeadership } from '../../infra/base/log/kafka-leadership.ts'
import { openKafkaLog } from '../../infra/base/log/kafka-log.ts'
import { AppError } from '../../infra/base/runtime/errors.ts'
import {
  appendWhile,
  appendWithRetries,
  createEntries,
  findHeightFaults,
  LARGE,
  SMALL,
} from '../support/kafka/heights.ts'
import { kafkaConfig, ownChainId } from '../support/kafka/kafka-log-storage.ts'
import { startLocalKafka } from '../support/kafka/local-broker.ts'
import { type Child, startChild } from '../support/process/child.ts'
import { silentLogger } from '../support/process/log-lines.ts'
import { checkRequirement } from '../support/suite/requirements.ts'

const script = import.meta.resolve('../support/kafka/leader-child.ts')
const tidy: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const each of tidy.splice(0).reverse()) await each()
})

const setup = (brokers = inject('kafkaBrokers')) => {
  const settings = kafkaConfig(brokers)
  const chainId = ownChainId()
  const groupId = `rollcall-ingest-${chainId}`
  const logger = silentLogger()
  const start = (): Child => {
    const child = startChild(script, [brokers, chainId, groupId])
    tidy.push(() => child.kill())
    return child
  }
  const createLeadership = () => createKafkaLeadership({ settings, groupId, logger })
  const open = async (options: { readOnly?: boolean; signal?: AbortSignal } = {}) => {
    const log = await openKafkaLog({ settings, chainId, logger, ...options })
    tidy.push(log.close)
    return log
  }
  return { start, createLeadership, open }
}

type Line = Record<string, unknown>
const isHeight = (line: Line) => 'height' in line
const is = (event: string) => (line: Line) => line['event'] === event
const atMs = (line: Line | undefined) => Number(line?.['atMs'])

describe('leadership of two processes', () => {
  it('passes to the other within 10 s of a kill -9, and the log has each height once', {
    tags: 'infra:leader-is-replaced',
  }, async () => {
    const { start, open } = setup()
    const first = start()
    await first.line(isHeight)
    const second = start()
    await second.line(is('started'))
    await first.line((line) => Number(line['height']) >= 30)
    await first.kill()
    const killedMs = Date.now()
    const began = await second.line(is('began'))
    expect(atMs(began) - killedMs).toBeLessThan(10_000)
    expect(atMs(began)).toBeGreaterThan(atMs(first.lines.at(-1)))
    const last = Number(first.lines.findLast(isHeight)?.['height'])
    await second.line((line) => Number(line['height']) >= last + 20)
    await second.kill()
    const log = await open({ readOnly: true })
    const heights = (await log.last())?.height ?? 0
    expect(heights).toBeGreaterThanOrEqual(last + 20)
    expect(await findHeightFaults(log, heights)).toEqual([])
  })

  it('passes at once when the leader stops regularly, and only after the end of its term', async () => {
    const { start } = setup()
    const first = start()
    await first.line(isHeight)
    const second = start()
    await second.line(is('started'))
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    expect(second.lines.some(is('began'))).toBe(false)
    first.process.kill('SIGTERM')
    const leftMs = Date.now()
    const began = await second.line(is('began'))
    expect(atMs(began) - leftMs).toBeLessThan(4_000)
    expect(atMs(began)).toBeGreaterThanOrEqual(atMs(first.lines.find(is('ended'))))
    expect(await first.exited).toEqual({ code: 0, signal: null })
  })

  it('is lost by a leader that was frozen for longer than its session, and it wrote nothing twice', async () => {
    const { start, open } = setup()
    const first = start()
    await first.line((line) => Number(line['height']) >= 10)
    const second = start()
    await second.line(is('started'))
    first.process.kill('SIGSTOP')
    await second.line((line) => Number(line['height']) >= 20)
    first.process.kill('SIGCONT')
    await first.line(is('ended'))
    const height = Number(second.lines.findLast(isHeight)?.['height'])
    await second.line((line) => Number(line['height']) >= height + 50)
    expect(second.lines.filter(is('ended'))).toEqual([])
    await second.kill()
    await first.line((line) => Number(line['height']) > height + 50)
    await first.kill()
    const log = await open({ readOnly: true })
    expect(await findHeightFaults(log, (await log.last())?.height ?? 0)).toEqual([])
  })
})

describe('a leader', () => {
  it('is one of the processes that join at the same time, and leads while others join and leave', async () => {
    const { createLeadership } = setup()
    const terms: string[] = []
    const lead = async (name: string, ms: number) => {
      const stopping = new AbortController()
      setTimeout(() => stopping.abort(), ms)
      await createLeadership().lead(async (signal) => {
        terms.push(name)
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      }, stopping.signal)
    }
    const first = Promise.all([lead('one', 9_000), lead('other', 9_000)])
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    await Promise.all([lead('late', 2_000), lead('later', 3_500)])
    await first
    expect(terms).toHaveLength(1)
    expect(terms[0]).toMatch(/one|other/)
  })

  it('that loses its term during an append stores nothing of it, and the next one continues', {
    tags: 'infra:append-is-atomic',
  }, async () => {
    const { createLeadership, open } = setup()
    let last = 0
    const lead = async (stopping: AbortController, shouldContinue: () => boolean) =>
      createLeadership().lead(async (signal) => {
        const log = await open({ signal })
        await appendWhile(log, shouldContinue, {
          shape: LARGE,
          onAppended: (height) => {
            last = height
          },
        })
        stopping.abort()
      }, stopping.signal)
    for (const heights of [3, 6, 9]) {
      const stopping = new AbortController()
      const leading = lead(stopping, () => true)
      while (last < heights) await new Promise((resolve) => setTimeout(resolve, 5))
      // It never pauses between two appends, so one is always active.
      stopping.abort()
      await leading
    }
    await lead(new AbortController(), () => last < 15)
    expect(await findHeightFaults(await open({ readOnly: true }), 15, LARGE)).toEqual([])
  })

  it('that is fenced returns to standby and leads again', async () => {
    const { createLeadership, open } = setup()
    const leadership = createLeadership()
    const stopping = new AbortController()
    let terms = 0
    await leadership.lead(async (signal) => {
      terms += 1
      expect(leadership.state()).toBe('leading')
      const log = await open({ signal })
      if (terms === 1) await open()
      let appended = 0
      await appendWhile(log, () => appended < 3, {
        onAppended: () => {
          appended += 1
        },
      })
      stopping.abort()
    }, stopping.signal)
    expect(terms).toBe(2)
    expect(leadership.state()).toBe('standby')
  })

  it('ends with the error of its term', async () => {
    const { createLeadership } = setup()
    const failure = new AppError('CHAIN_FORKED', 'another history')
    const leading = createLeadership().lead(async () => {
      throw failure
    }, new AbortController().signal)
    await expect(leading).rejects.toBe(failure)
  })

  it.skipIf(checkRequirement('java'))(
    'ends its term within its lease if the broker freezes with open connections',
    async () => {
      const kafka = await startLocalKafka()
      tidy.push(kafka.stop)
      const { createLeadership } = setup(kafka.brokers)
      const stopping = new AbortController()
      let silentMs = 0
      let endedMs = 0
      await createLeadership().lead(async (signal) => {
        // Some heartbeats later.
        await new Promise((resolve) => setTimeout(resolve, 2_000))
        expect(signal.aborted).toBe(false)
        kafka.nodes[0]?.freeze()
        silentMs = performance.now()
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
        endedMs = performance.now()
        stopping.abort()
      }, stopping.signal)
      // The lease is 5 s from a heartbeat; the group reassigns the partition after 6 s.
      expect(endedMs - silentMs).toBeGreaterThan(3_500)
      expect(endedMs - silentMs).toBeLessThan(5_500)
    },
  )

  it('cannot write after its term has ended, and does not fence the new leader', async () => {
    const { open } = setup()
    const term = new AbortController()
    const old = await open({ signal: term.signal })
    await appendWithRetries(old, 1)
    term.abort()
    const current = await open()
    await expect(old.append(createEntries(2, SMALL))).rejects.toMatchObject({ code: 'LOG_FENCED' })
    await expect(old.last()).rejects.toMatchObject({ code: 'LOG_FENCED' })
    for (const height of [2, 3]) await current.append(createEntries(height, SMALL))
    expect(await findHeightFaults(current, 3)).toEqual([])
  })
})
