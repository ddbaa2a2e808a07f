// Tests of retries, deadlines and supervised loops: which errors are retried, how often and for how long.
import { describe, expect, it } from 'vitest'
import { AppError } from '../../../../../infra/base/runtime/errors.ts'
import {
  type RetryOptions,
  retry,
  supervise,
  withDeadline,
} from '../../../../../infra/base/runtime/retry.ts'
import { createFakeClock } from '../../../../support/process/fake-clock.ts'

const unavailable = () => new AppError('RPC_UNAVAILABLE', 'down', { retryable: true })

const failWith = async (error: Error, options: Partial<RetryOptions> = {}) => {
  const clock = createFakeClock()
  const limits = { limit: 5, budgetMs: 60_000, baseDelayMs: 100, maxDelayMs: 400 }
  const all = { ...limits, signal: new AbortController().signal, clock, random: () => 1 }
  const failed = await retry(() => Promise.reject(error), { ...all, ...options }).catch(
    (last: unknown) => last,
  )
  return { failed, sleeps: clock.sleeps }
}

describe('retry', () => {
  it.each([
    ['tries an error once that is not retryable', new AppError('RPC_REFUSED', 'no'), 60_000, []],
    ['stops at the maximum number of attempts', unavailable(), 60_000, [100, 200, 400, 400]],
    ['starts no attempt after its time budget', unavailable(), 350, [100, 200]],
  ])('%s', async (_, error, budgetMs, sleeps) => {
    expect(await failWith(error, { budgetMs })).toEqual({ failed: error, sleeps })
  })

  it('ends as soon as it is aborted, and does not retry', async () => {
    const controller = new AbortController()
    const options = { signal: controller.signal, onRetry: () => controller.abort() }
    const { failed, sleeps } = await failWith(unavailable(), options)
    expect(failed).toMatchObject({ code: 'ABORTED' })
    expect(sleeps).toEqual([])
  })
})

describe('withDeadline', () => {
  it('rejects in time even if the operation ignores the signal, and fires the signal', async () => {
    let seen: AbortSignal | undefined
    const late = withDeadline(5, undefined, (signal) => {
      seen = signal
      return new Promise<never>(() => {})
    })
    await expect(late).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED', retryable: true })
    expect(seen?.aborted).toBe(true)
  })
})

type Run = (works: () => void) => Promise<void>

/** Runs the loop once for each step, then aborts. */
const superviseSteps = async (...steps: Run[]) => {
  const controller = new AbortController()
  const clock = createFakeClock()
  const seen: (string | number)[] = []
  await supervise(
    async (works) => {
      const step = steps.shift()
      if (steps.length === 0) controller.abort()
      await step?.(works)
    },
    {
      policy: { baseDelayMs: 100, maxDelayMs: 400 },
      signal: controller.signal,
      clock,
      onFailure: (_, failures) => void seen.push(failures),
      onRecovery: () => void seen.push('recovered'),
    },
  )
  return { seen, sleeps: clock.sleeps }
}

const fail: Run = async () => {
  throw unavailable()
}
const succeed: Run = async () => {}

describe('a supervised loop', () => {
  it('pauses longer after each consecutive failure, and reports its recovery once', async () => {
    const { sleeps, seen } = await superviseSteps(fail, fail, fail, fail, succeed, succeed, succeed)
    expect(seen).toEqual([1, 2, 3, 4, 'recovered'])
    for (const [index, full] of [100, 200, 400, 400].entries()) {
      expect(sleeps[index]).toBeGreaterThanOrEqual(full / 2)
      expect(sleeps[index]).toBeLessThanOrEqual(full)
    }
    expect(sleeps.slice(4)).toEqual([100, 100])
  })

  it('is not restarted after a bug, and rejects with it', async () => {
    let runs = 0
    const bug: Run = async () => {
      runs++
      throw new TypeError('bug')
    }
    await expect(superviseSteps(fail, bug, succeed, succeed)).rejects.toThrow(TypeError)
    expect(runs).toBe(1)
  })
})
