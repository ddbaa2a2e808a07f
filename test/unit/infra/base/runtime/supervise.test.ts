// Tests of supervised loops: which failures restart them, how fast, and what ends them.
import { describe, expect, it } from 'vitest'
import { AppError } from '../../../../../infra/base/runtime/errors.ts'
import { every, supervise } from '../../../../../infra/base/runtime/retry.ts'
import { createFakeClock } from '../../../../support/process/fake-clock.ts'

const away = () => new AppError('STORE_UNAVAILABLE', 'away', { retryable: true })

type Run = (works: () => void) => Promise<void>

/** Runs the loop once for each step, then aborts. */
const setup = async (...steps: Run[]) => {
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
  throw away()
}
const succeed: Run = async () => {}

describe('a supervised loop', () => {
  it('runs again at a steady pace while it works', async () => {
    const { sleeps, seen } = await setup(succeed, succeed, succeed)
    expect([sleeps, seen]).toEqual([[100, 100], []])
  })

  it('pauses longer after each consecutive failure, and reports its recovery once', async () => {
    const { sleeps, seen } = await setup(fail, fail, fail, fail, succeed, succeed, succeed)
    expect(seen).toEqual([1, 2, 3, 4, 'recovered'])
    for (const [index, full] of [100, 200, 400, 400].entries()) {
      expect(sleeps[index]).toBeGreaterThanOrEqual(full / 2)
      expect(sleeps[index]).toBeLessThanOrEqual(full)
    }
    expect(sleeps.slice(4)).toEqual([100, 100])
  })

  it('resets the failure count after it has worked, also if it never returns', async () => {
    const workThenFail: Run = async (works) => {
      works()
      throw away()
    }
    const { seen } = await setup(fail, fail, workThenFail, fail, succeed)
    expect(seen).toEqual([1, 2, 'recovered', 1, 2])
  })

  it('is not restarted after a bug, and rejects with it', async () => {
    let runs = 0
    const bug: Run = async () => {
      runs++
      throw new TypeError('bug')
    }
    await expect(setup(fail, bug, succeed, succeed)).rejects.toThrow(TypeError)
    expect(runs).toBe(1)
  })

  it('ends with its signal, whatever error it throws then', async () => {
    const { seen } = await setup(fail)
    expect(seen).toEqual([])
  })
})

describe('a repeated step', () => {
  it('is called after each pause until the signal fires', async () => {
    const controller = new AbortController()
    const clock = createFakeClock()
    let calls = 0
    await every(50, { signal: controller.signal, clock }, () => {
      calls++
      if (calls === 3) controller.abort()
    })
    expect([calls, clock.sleeps]).toEqual([3, [50, 50, 50]])
  })

  it('is not called again after a failure', async () => {
    const clock = createFakeClock()
    const { signal } = new AbortController()
    const failing = every(50, { signal, clock }, () => Promise.reject(away()))
    await expect(failing).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    expect(clock.sleeps).toEqual([50])
  })
})
