// Tests of when everything ends because a child cannot run.
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import {
  type ChildExit,
  keepRunning,
  type Part,
  watch,
} from '../../../../../infra/app/start/supervisor.ts'
import { systemClock } from '../../../../../infra/base/runtime/clock.ts'
import { AppError } from '../../../../../infra/base/runtime/errors.ts'
import { createLifecycle } from '../../../../../infra/base/runtime/lifecycle.ts'

const logger = pino({ level: 'silent' })
const ENDED: ChildExit = { code: 0, signal: null }
const LIMITS = { windowMs: 60_000, firstRuns: 3, baseDelayMs: 1, maxDelayMs: 1 }

/** A child without which nothing works, which ends as soon as it starts. */
const setup = (start: Part['start']) => {
  const lifecycle = createLifecycle({ logger, budgetMs: 1_000 })
  const part = { name: 'child', isRequired: true, start }
  const down = new Map<string, string>()
  keepRunning(part, { lifecycle, logger, down, limits: LIMITS, clock: systemClock })
  return lifecycle
}

describe('a child without which nothing works', () => {
  it('ends everything if it ends three times and has never run', async () => {
    const failure = { code: 'FOLD_FAILED', message: 'could not fold the event at offset 12' }
    let starts = 0
    const lifecycle = setup(() => {
      starts++
      const exited = Promise.resolve({ ...ENDED, code: 1, failure })
      return { started: new Promise(() => {}), exited, stop: async () => {} }
    })
    const words = expect.stringMatching(/^child ended 3 times .*FOLD_FAILED: could not fold/)
    await expect.poll(lifecycle.failure).toMatchObject({ code: 'CHILD_FAILED', message: words })
    expect(starts).toBe(3)
  })

  it('is tried again if it could not start, unless another try would be the same', async () => {
    let tries = 0
    const refuse = (error: Error) => () => {
      tries++
      return Promise.reject(error)
    }
    const busy = new AppError('ENGINE_FAILED', 'no message', { retryable: true })
    await expect.poll(setup(refuse(busy)).failure).toMatchObject({ code: 'CHILD_FAILED' })
    expect(tries).toBe(3)
    const refused = new AppError('STORE_REFUSED', 'no such type')
    await expect.poll(setup(refuse(refused)).failure).toBe(refused)
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
