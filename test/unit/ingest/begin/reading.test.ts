// Tests what is reported to operators and on the terminal while the state is read at the start of a log.
import { describe, expect, it } from 'vitest'
import { createReading } from '../../../../ingest/begin/reading.ts'
import { takeSnapshot } from '../../../../ingest/begin/snapshot.ts'
import { MAX_VOTERS, type SnapshotProgress } from '../../../../ingest/begin/snapshot-votes.ts'
import type { RunningIngest } from '../../../../ingest/main.ts'
import { createCrowdedVotes, followCrowdedVotes } from '../../../support/chain/crowded-votes.ts'
import { createSchemas } from '../../../support/chain/schemas.ts'
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
    const { reading, texts, pass } = setup()
    expect(reading.describe()).toBeUndefined()
    for (let votes = 0; votes <= 12_000; votes += 1_000) {
      reading.report({ reading: 'votes', proposalId: '950', votes })
      pass(1_000)
    }
    expect(reading.describe()).toBe('reading votes of proposal 950: 12,000 so far')
    expect(texts()).toEqual([
      'reading votes of proposal 950: 0 so far',
      'reading votes of proposal 950: 5,000 so far',
      'reading votes of proposal 950: 10,000 so far',
    ])
  })

  it('continues with the voters of later heights, and ends with them', () => {
    const { reading, leave } = setup()
    reading.report({ reading: 'delegations', done: 250, total: 300 })
    leave({ done: 0, total: 4_700 })
    expect(reading.describe()).toBe('reading the delegations of voters: 250 of 300')
    reading.report(undefined)
    leave({ done: 200, total: 4_700 })
    expect(reading.describe()).toBe('reading the delegations of voters: 200 of 4,700')
    leave(undefined)
    expect(reading.describe()).toBeUndefined()
  })
})

it('reports each page of votes, and each voter whose delegations are read', async () => {
  const { chain } = createCrowdedVotes(MAX_VOTERS)
  const reports: SnapshotProgress[] = []
  const block = await chain.block(2)
  const onProgress = (progress: SnapshotProgress) => void reports.push(progress)
  await takeSnapshot(chain, block, { schemas: createSchemas(chain), onProgress })
  const votes = reports.filter((each) => each.reading === 'votes')
  expect(votes.map(({ proposalId, votes }) => [proposalId, votes])).toEqual([
    ['1', 0],
    ['1', 100],
    ['1', 200],
    ['2', 0],
  ])
  expect(reports[0]).toEqual({ reading: 'proposals' })
  expect(reports.at(-1)).toEqual({ reading: 'delegations', done: 300, total: 300 })
})

it('is among the reasons of a ready ingest, until all voters are read', async () => {
  const reasons: (readonly string[])[] = []
  const steps = [undefined, undefined, undefined]
  const onAppended = (ingest: RunningIngest) => {
    const { ready, reasons: all, details } = ingest.readiness()
    expect(ready).toBe(true)
    expect(details?.['reading']).toBe(all[0])
    reasons.push(all)
  }
  const votes = createCrowdedVotes(MAX_VOTERS + 101)
  await followCrowdedVotes(votes, openMemoryLog(), { steps, onAppended })
  expect(reasons).toEqual([
    ['reading the delegations of voters: 0 of 381'],
    ['reading the delegations of voters: 200 of 381'],
    [],
    [],
  ])
})
