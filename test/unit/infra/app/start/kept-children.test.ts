// What happens when a child of Rollcall ends by itself.
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { type ChildExit, keepRunning } from '../../../../../infra/app/start/children.ts'
import { hasCode } from '../../../../../infra/base/runtime/errors.ts'
import { createFakeClock } from '../../../../support/process/fake-clock.ts'

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
    logger: pino({ level: 'silent' }),
    clock,
    isRequired: () => isRequired,
    onDown: (reason) => void reasons.push(reason),
    limits: { limit, windowMs: 60_000, baseDelayMs: 100, maxDelayMs: 150 },
  })
  return { kept, delays, reasons, starts: () => starts }
}

describe('a child that ends', () => {
  it('is started again, each time after a longer pause up to a limit', async () => {
    const { kept, delays, starts } = setup([crash, crash, crash])
    await kept
    expect(starts()).toBe(4)
    expect(delays).toEqual([100, 150, 150])
  })

  it('repeatedly is restarted each time, and operators see how often and why', async () => {
    const failed = { ...crash, failure: { code: 'STORE_REFUSED', message: 'no such table' } }
    const { kept, delays, reasons, starts } = setup([crash, crash, crash, crash, crash, failed])
    await kept
    expect(starts()).toBe(7)
    expect(delays).toEqual([100, 150, 150, 150, 150, 150])
    expect(reasons[0]).toBe(
      'ended, the last time with "ended with exit code 1"; it will be restarted',
    )
    expect(reasons.at(-1)).toBe(
      'ended 6 times within 1 minutes, the last time with "STORE_REFUSED: no such table"; it will be restarted',
    )
  })

  it('too often is given up with its last error, if Rollcall does not work without it', async () => {
    const failed = { ...crash, failure: { code: 'STORE_REFUSED', message: 'no such table' } }
    const { kept, starts } = setup([crash, crash, crash, failed], { isRequired: true })
    const error = await kept.catch((caught: unknown) => caught)
    expect(hasCode(error, 'CHILD_FAILED')).toBe(true)
    expect(String(error)).toContain('writer ended 4 times within 1 minutes')
    expect(String(error)).toContain('STORE_REFUSED: no such table')
    expect(starts()).toBe(4)
  })

  it('for a permanent reason is not restarted', async () => {
    const failure = { code: 'CHAIN_MISMATCH', message: 'this log is of chain a-1' }
    const { kept, starts } = setup([{ ...crash, failure }])
    const error = await kept.catch((caught: unknown) => caught)
    expect(hasCode(error, 'CHAIN_MISMATCH')).toBe(true)
    expect(starts()).toBe(1)
  })
})

/** A child whose every run gets ready; the test ends the runs and moves the time. */
const setupCrashLoop = () => {
  const abort = new AbortController()
  const clock = createFakeClock({ autoAdvance: false })
  const failure = { code: 'FOLD_FAILED', message: 'could not fold the event at offset 12' }
  let reason: string | undefined
  let end = (_: ChildExit): void => {}
  let runs = 0
  const kept = keepRunning({
    name: 'writer',
    runOnce: (onReady) => {
      runs += 1
      onReady()
      return new Promise((resolve) => {
        end = resolve
      })
    },
    signal: abort.signal,
    logger: pino({ level: 'silent' }),
    clock,
    onDown: (text) => {
      reason = text
    },
    onUp: () => {
      reason = undefined
    },
    limits: { limit: 5, windowMs: 60_000, baseDelayMs: 100, maxDelayMs: 100 },
  })
  const flushPromises = () => new Promise((resolve) => setImmediate(resolve))
  const advance = async (ms: number) => {
    clock.advance(ms)
    await flushPromises()
  }
  const fail = async (times: number) => {
    for (let failures = 0; failures < times; failures++) {
      end({ ...crash, failure })
      await flushPromises()
      await advance(100)
    }
  }
  const stop = async () => {
    abort.abort()
    end(crash)
    await kept
  }
  return { advance, fail, stop, reason: () => reason, runs: () => runs }
}

describe('a child that gets ready and fails for the same reason each time', () => {
  it('counts as working when it is ready after its first two failures', async () => {
    const { fail, stop, reason, runs } = setupCrashLoop()
    await fail(2)
    expect([reason(), runs()]).toEqual([undefined, 3])
    await stop()
  })

  it('stays down with its reason from the third failure on, although it is ready again', async () => {
    const { fail, stop, reason, runs } = setupCrashLoop()
    await fail(3)
    expect(reason()).toBe(
      'failed 3 times in a row, the last time with "FOLD_FAILED: could not fold the event at offset 12". It was restarted and is ready after 30 s of operation',
    )
    await fail(1)
    expect(reason()).toContain('failed 4 times in a row')
    expect(runs()).toBe(5)
    await stop()
  })

  it('counts as working after it has run for 30 s', async () => {
    const { advance, fail, stop, reason } = setupCrashLoop()
    await fail(3)
    await advance(29_999)
    expect(reason()).toContain('FOLD_FAILED')
    await advance(1)
    expect(reason()).toBeUndefined()
    await stop()
  })
})
