// Tests of when a child is started again, when everything ends, and what is said meanwhile.
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import {
  type ChildExit,
  keepRunning,
  type Part,
  type Run,
  watch,
} from '../../../../../infra/app/start/supervisor.ts'
import { type Clock, systemClock } from '../../../../../infra/base/runtime/clock.ts'
import { AppError } from '../../../../../infra/base/runtime/errors.ts'
import { createLifecycle } from '../../../../../infra/base/runtime/lifecycle.ts'
import { createFakeClock } from '../../../../support/process/fake-clock.ts'

const logger = pino({ level: 'silent' })
const ENDED: ChildExit = { code: 0, signal: null }
const LIMITS = { windowMs: 60_000, firstRuns: 3, baseDelayMs: 1, maxDelayMs: 1 }

type Setup = Partial<Part> & { isReady?: boolean; clock?: Clock }

const setup = ({ isReady = true, clock = systemClock, ...overrides }: Setup = {}) => {
  const lifecycle = createLifecycle({ logger, budgetMs: 1_000 })
  const down = new Map<string, string>()
  let starts = 0
  let end = (_: ChildExit): void => {}
  const start = (): Run => {
    starts++
    const exited = new Promise<ChildExit>((resolve) => {
      end = resolve
    })
    const started = isReady ? Promise.resolve() : new Promise(() => {})
    return { started, exited, stop: async () => end(ENDED) }
  }
  const part = { name: 'child', start, ...overrides }
  const { stop } = keepRunning(part, { lifecycle, logger, down, limits: LIMITS, clock })
  lifecycle.onShutdown('child', stop)
  const untilStarts = (count: number) => expect.poll(() => starts).toBe(count)
  return { lifecycle, down, untilStarts, end: (exit: ChildExit) => end(exit) }
}

const failure = { code: 'FOLD_FAILED', message: 'could not fold the event at offset 12' }

describe('a child', () => {
  it('is started again however often it ends, and says so until it works', async () => {
    const { lifecycle, down, untilStarts, end } = setup({ isReady: false })
    for (let starts = 1; starts <= 8; starts++) {
      await untilStarts(starts)
      end({ ...ENDED, signal: 'SIGSEGV' })
    }
    await untilStarts(9)
    expect(down.get('child')).toMatch(
      /^ended 8 times within 1 minutes, the last time with "ended with SIGSEGV"/,
    )
    await lifecycle.shutdown('test')
    expect(lifecycle.failure()).toBeUndefined()
    await untilStarts(9)
  })

  it('does not count ends of long ago', async () => {
    const clock = createFakeClock()
    const { down, untilStarts, end } = setup({ isReady: false, clock })
    for (const starts of [1, 2]) {
      await untilStarts(starts)
      end(ENDED)
    }
    await untilStarts(3)
    clock.advance(LIMITS.windowMs)
    end(ENDED)
    await untilStarts(4)
    expect(down.get('child')).toMatch(/^ended, the last time/)
  })

  it('that was killed works as soon as it runs again', async () => {
    const { down, untilStarts, end } = setup()
    await untilStarts(1)
    end({ ...ENDED, signal: 'SIGKILL' })
    await untilStarts(2)
    await expect.poll(() => [...down]).toEqual([])
  })

  it('that failed must run for a while before its reason is forgotten', async () => {
    const { down, untilStarts, end } = setup()
    for (let starts = 1; starts <= 3; starts++) {
      await untilStarts(starts)
      end({ ...ENDED, code: 70, failure })
    }
    await untilStarts(4)
    await expect.poll(() => down.get('child')).toMatch(/at offset 12.*must run for 30 s$/)
  })

  it('ends everything with its own words, if it fails for a reason that stays', async () => {
    const { lifecycle, untilStarts, end } = setup()
    await untilStarts(1)
    end({ ...ENDED, code: 65, failure: { code: 'LOG_DAMAGED', message: 'log.db is damaged' } })
    await expect
      .poll(() => lifecycle.failure())
      .toMatchObject({ code: 'LOG_DAMAGED', message: 'log.db is damaged' })
  })

  it('that starts while everything ends is stopped', async () => {
    let start = (_: Run): void => {}
    let isStopped = false
    const { lifecycle } = setup({
      start: () =>
        new Promise((resolve) => {
          start = resolve
        }),
    })
    await Promise.resolve()
    const ended = lifecycle.shutdown('test')
    const stop = async () => {
      isStopped = true
    }
    start({ started: Promise.resolve(), exited: Promise.resolve(ENDED), stop })
    await ended
    expect(isStopped).toBe(true)
    expect(lifecycle.failure()).toBeUndefined()
  })
})

describe('a child without which nothing works', () => {
  it('ends everything if it ends three times and has never run', async () => {
    const { lifecycle, untilStarts, end } = setup({ isReady: false, isRequired: true })
    for (const starts of [1, 2, 3]) {
      await untilStarts(starts)
      end({ ...ENDED, code: 1, failure })
    }
    const words = expect.stringMatching(/^child ended 3 times .*FOLD_FAILED: could not fold/)
    await expect
      .poll(() => lifecycle.failure())
      .toMatchObject({ code: 'CHILD_FAILED', message: words })
    await untilStarts(3)
  })

  it('is started again like any other once it has run', async () => {
    const { lifecycle, down, untilStarts, end } = setup({ isRequired: true })
    for (let starts = 1; starts <= 6; starts++) {
      await untilStarts(starts)
      await expect.poll(() => [...down]).toEqual([])
      end({ ...ENDED, code: 1 })
    }
    await untilStarts(7)
    expect(lifecycle.failure()).toBeUndefined()
  })

  it('is tried again if it could not start, unless another try would be the same', async () => {
    const busy = new AppError('ENGINE_FAILED', 'no message', { retryable: true })
    let tries = 0
    const refuse = (error: Error) => () => {
      tries++
      return Promise.reject(error)
    }
    const again = setup({ isRequired: true, start: refuse(busy) })
    await expect.poll(() => again.lifecycle.failure()).toMatchObject({ code: 'CHILD_FAILED' })
    expect(tries).toBe(3)
    const refused = new AppError('STORE_REFUSED', 'no such type')
    const never = setup({ isRequired: true, start: refuse(refused) })
    await expect.poll(() => never.lifecycle.failure()).toBe(refused)
    expect(tries).toBe(4)
  })
})

it('an engine is ended if it does not answer three times in a row', async () => {
  const answers = [true, false, false, true, false, false, false]
  const isAnswering = async () => answers.shift() ?? true
  let kills = 0
  let end = (_: ChildExit): void => {}
  const exited = new Promise<ChildExit>((resolve) => {
    end = resolve
  })
  const kill = async () => {
    kills++
    end(ENDED)
  }
  const options = { signal: new AbortController().signal, logger }
  await watch({ isAnswering, kill, exited }, options, { everyMs: 1, timeoutMs: 1, misses: 3 })
  expect(answers).toEqual([])
  expect(kills).toBe(1)
})
