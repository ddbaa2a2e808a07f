// Tests what is reported to operators and on the terminal while the state is read at the start of a log.
import { describe, expect, it } from 'vitest'
import type { EventLog } from '../../../../infra/base/log/event-log.ts'
import { createReading } from '../../../../ingest/begin/reading.ts'
import type { RunningIngest } from '../../../../ingest/main.ts'
import { createCrowdedVotes } from '../../../support/chain/crowded-votes.ts'
import { startOn } from '../../../support/chain/ingest-run.ts'
import { openMemoryLog } from '../../../support/log/memory-log.ts'
import { recordingLogger } from '../../../support/process/log-lines.ts'

const setup = () => {
  const { logger, lines } = recordingLogger()
  let nowMs = 0
  let unread: { done: number; total: number } | undefined
  const clock = { now: () => nowMs, sleep: () => Promise.resolve() }
  const reading = createReading({ logger, clock }, { progress: () => unread })
  return {
    reading,
    texts: () => lines.map(({ msg }) => msg),
    pass: (ms: number) => {
      nowMs += ms
    },
    leave: (left: typeof unread) => {
      unread = left
    },
  }
}

describe('what is being read', () => {
  it('is in words, with a log line at most every five seconds', () => {
    const { reading, texts, pass, leave } = setup()
    expect(reading.describe()).toBeUndefined()
    reading.report('reading the proposals')
    expect(reading.describe()).toBe('reading the proposals')
    reading.report(undefined)
    for (let done = 0; done <= 12_000; done += 1_000) {
      leave({ done, total: 12_000 })
      reading.log()
      pass(1_000)
    }
    expect(texts()).toEqual([
      'reading the proposals',
      'reading the delegations of voters: 5,000 of 12,000',
      'reading the delegations of voters: 10,000 of 12,000',
    ])
    leave(undefined)
    expect(reading.describe()).toBeUndefined()
  })
})

it('is among the reasons of a ready ingest, until all voters are read', async () => {
  const chain = createCrowdedVotes(320, [undefined, undefined, undefined])
  const inner = openMemoryLog()
  const reasons: (readonly string[])[] = []
  let ingest: RunningIngest | undefined
  const log: EventLog = {
    ...inner,
    append: async (entries) => {
      const end = await inner.append(entries)
      reasons.push(ingest?.readiness().reasons ?? [])
      return end
    },
  }
  const config = { maxBatchHeights: 1 }
  ingest = await startOn(chain, log, { env: { START_HEIGHT: '2' }, config, isAtTip: true })
  while ((await inner.last())?.height !== chain.tip) {
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  const { ready, reasons: left } = ingest.readiness()
  expect([ready, left]).toEqual([true, []])
  await ingest.close()
  expect(reasons.flat()).toContain('reading the delegations of voters: 150 of 320')
})
