// The stream of the events of a log: its content, its end, and an early end by the reader.
import { describe, expect, it } from 'vitest'
import { type ReplayFilter, replayLog } from '../../../../../../infra/app/tools/log/move-log.ts'
import type { EventLog } from '../../../../../../infra/base/log/event-log.ts'
import type { GovernanceEvent } from '../../../../../../ingest/contract/events.ts'
import {
  createHeightEvents,
  reading,
  snapshot,
  submitted,
  toLogEntry,
  vote,
} from '../../../../../support/log/governance-events.ts'
import { openMemoryLog } from '../../../../../support/log/memory-log.ts'

const heights: GovernanceEvent[][] = [
  createHeightEvents(1, [snapshot()]),
  createHeightEvents(2, [submitted('1'), submitted('2')]),
  createHeightEvents(3, [vote('1', 'ann'), reading('1')]),
  createHeightEvents(4, [vote('2', 'ann')]),
]

const setup = async (more: Uint8Array[] = []) => {
  const log = openMemoryLog()
  for (const events of heights) await log.append(events.map(toLogEntry))
  for (const value of more) await log.append([{ height: 5, timeMs: 5, value }])
  const ending = new AbortController()
  const lines: string[] = []
  /** Closes after a number of lines. */
  let maxLines = Number.POSITIVE_INFINITY
  const sink = {
    write: async (bytes: Uint8Array | string) => {
      lines.push(...Buffer.from(bytes).toString().split('\n').slice(0, -1))
      return lines.length < maxLines
    },
  }
  const replay = (
    options: Partial<{ from: number; to: number; filter: ReplayFilter; follow: boolean }> = {},
    read: EventLog = log,
  ) =>
    replayLog({
      log: read,
      from: 0,
      to: Number.POSITIVE_INFINITY,
      filter: {},
      follow: false,
      sink,
      signal: ending.signal,
      ...options,
    })
  return {
    log,
    lines,
    ending,
    replay,
    events: () => lines.map((line) => JSON.parse(line) as GovernanceEvent),
    leaveAfter: (count: number) => {
      maxLines = count
    },
  }
}

const until = async (holds: () => boolean) => {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve))
}

describe('a replay', () => {
  it('has every event of the log, byte for byte', async () => {
    const { replay, lines } = await setup()
    const { events } = await replay()
    expect(lines).toEqual(heights.flat().map((event) => JSON.stringify(event)))
    expect(events).toBe(lines.length)
  })

  it('has the requested heights only, and their requested events only', async () => {
    const { replay, events, lines } = await setup()
    await replay({ from: 2, to: 3 })
    expect([...new Set(events().map(({ height }) => height))]).toEqual([2, 3])
    lines.length = 0
    await replay({ filter: { proposalId: '2' } })
    expect(events().map(({ type, subject }) => [type, subject])).toEqual([
      ['rollcall.proposal.submitted.v1', 'proposals/2'],
      ['rollcall.vote.cast.v1', 'proposals/2'],
    ])
    lines.length = 0
    await replay({ filter: { types: new Set(['rollcall.vote.cast.v1']), proposalId: '1' } })
    expect(events().map(({ height }) => height)).toEqual([3])
  })

  it('has a line for a record that is not an event; with a filter it omits and counts the record', async () => {
    const { replay, lines } = await setup([Buffer.from('no\nJSON')])
    await replay({ from: 5 })
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ rollcall: 'record', base64: 'bm8KSlNPTg==' }),
    ])
    lines.length = 0
    expect(await replay({ from: 5, filter: { proposalId: '1' } })).toEqual({
      events: 0,
      undecodable: 1,
    })
    expect(lines).toEqual([])
  })

  it('stops reading when the reader closes', async () => {
    const { replay, log, leaveAfter } = await setup()
    leaveAfter(1)
    let reads = 0
    const counting: EventLog = {
      ...log,
      read: (from) => {
        reads++
        return log.read(from, { maxRecords: 1, maxBytes: 1 })
      },
    }
    await replay({ follow: true }, counting)
    expect(reads).toBe(1)
  })

  it('follows the log as it grows, until it is aborted', async () => {
    const { replay, log, lines, ending } = await setup()
    const replaying = replay({ from: 4, follow: true })
    await until(() => lines.length > 0)
    const more = createHeightEvents(5, [vote('1', 'ben')])
    await log.append(more.map(toLogEntry))
    await until(() => lines.some((line) => line.includes('/5/')))
    ending.abort()
    expect(await replaying).toMatchObject({ undecodable: 0 })
    expect(lines.filter((line) => line.includes('/5/'))).toHaveLength(more.length)
  })

  it('follows the log up to the requested height', async () => {
    const { replay, log, lines } = await setup()
    const replaying = replay({ from: 4, to: 5, follow: true })
    await until(() => lines.length > 0)
    await log.append(createHeightEvents(6, [vote('1', 'ben')]).map(toLogEntry))
    await replaying
    expect(lines.every((line) => line.includes('/4/'))).toBe(true)
  })

  it('can be stopped in the middle if it does not follow', async () => {
    const { replay, ending } = await setup()
    ending.abort()
    await expect(replay()).rejects.toMatchObject({ code: 'ABORTED' })
  })
})
