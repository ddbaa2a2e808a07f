// What happens when a part of the product ends by itself.
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { hasCode } from '../../../../infra/runtime/errors.ts'
import type { ChildExit } from '../../../../infra/supervisor/child.ts'
import { keepRunning } from '../../../../infra/supervisor/keep-running.ts'

const crash: ChildExit = { code: 1, signal: null, failure: undefined }

const setup = (exits: ChildExit[], { limit = 3, isRequired = false } = {}) => {
  const abort = new AbortController()
  const delays: number[] = []
  const reasons: string[] = []
  const clock = {
    now: () => 0,
    sleep: async (ms: number) => {
      delays.push(ms)
    },
  }
  let starts = 0
  const kept = keepRunning({
    name: 'writer',
    runOnce: async () => {
      const exit = exits[starts++]
      if (!exit) abort.abort()
      return exit ?? crash
    },
    signal: abort.signal,
    log: pino({ level: 'silent' }),
    clock,
    isRequired: () => isRequired,
    onDown: (reason) => void reasons.push(reason),
    limits: { limit, windowMs: 60_000, baseDelayMs: 100, maxDelayMs: 150 },
  })
  return { kept, delays, reasons, starts: () => starts }
}

describe('a part that ends', () => {
  it('is started again, each time after a longer pause up to a limit', async () => {
    const { kept, delays, starts } = setup([crash, crash, crash])
    await kept
    expect(starts()).toBe(4)
    expect(delays).toEqual([100, 150, 150])
  })

  it('again and again is started again each time, and operators see how often and why', async () => {
    const failed = { ...crash, failure: { code: 'STORE_REFUSED', message: 'no such table' } }
    const { kept, delays, reasons, starts } = setup([crash, crash, crash, crash, crash, failed])
    await kept
    expect(starts()).toBe(7)
    expect(delays).toEqual([100, 150, 150, 150, 150, 150])
    expect(reasons[0]).toBe(
      'ended, the last time with "ended with exit code 1"; it is started again',
    )
    expect(reasons.at(-1)).toBe(
      'ended 6 times within 1 minutes, the last time with "STORE_REFUSED: no such table"; it is started again',
    )
  })

  it('too often is given up with a message that says how it ended last, where nothing works without it', async () => {
    const failed = { ...crash, failure: { code: 'STORE_REFUSED', message: 'no such table' } }
    const { kept, starts } = setup([crash, crash, crash, failed], { isRequired: true })
    const error = await kept.catch((caught: unknown) => caught)
    expect(hasCode(error, 'PART_FAILED')).toBe(true)
    expect(String(error)).toContain('writer ended 4 times within 1 minutes')
    expect(String(error)).toContain('STORE_REFUSED: no such table')
    expect(starts()).toBe(4)
  })

  it('for a reason that stays is not started again', async () => {
    const failure = { code: 'CHAIN_MISMATCH', message: 'this log is of chain a-1' }
    const { kept, starts } = setup([{ ...crash, failure }])
    const error = await kept.catch((caught: unknown) => caught)
    expect(hasCode(error, 'CHAIN_MISMATCH')).toBe(true)
    expect(starts()).toBe(1)
  })
})
