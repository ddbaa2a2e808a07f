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
import { systemClock } from '../../../../../infra/base/runtime/clock.ts'
import { AppError } from '../../../../../infra/base/runtime/errors.ts'
import { createLifecycle } from '../../../../../infra/base/runtime/lifecycle.ts'

const logger = pino({ level: 'silent' })
const ENDED: ChildExit = { code: 0, signal: null }
const LIMITS = { windowMs: 60_000, firstRuns: 3, baseDelayMs: 1, maxDelayMs: 1 }

const setup = ({ isReady = true, ...overrides }: Partial<Part> & { isReady?: boolean } = {}) => {
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
  const { stop } = keepRunning(part, {
    lifecycle,
    logger,
    down,
    limits: LIMITS,
    clock: systemClock,
  })
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
