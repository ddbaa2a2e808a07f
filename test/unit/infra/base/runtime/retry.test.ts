// Tests of retries and deadlines: which errors are retried, how often and for how long.
import { describe, expect, it } from 'vitest'
import { AppError } from '../../../../../infra/base/runtime/errors.ts'
import { type RetryOptions, retry, withDeadline } from '../../../../../infra/base/runtime/retry.ts'
import { createFakeClock } from '../../../../support/process/fake-clock.ts'

const unavailable = () => new AppError('RPC_UNAVAILABLE', 'down', { retryable: true })

const setup = (options: Partial<RetryOptions> = {}) => {
  const clock = createFakeClock()
  const controller = new AbortController()
  let attempts = 0
  const failing = (error: () => Error, failures = Number.POSITIVE_INFINITY) =>
    retry(
      async (attempt) => {
        attempts++
        if (attempt <= failures) throw error()
        return attempt
      },
      {
        limit: 5,
        budgetMs: 60_000,
        baseDelayMs: 100,
        maxDelayMs: 400,
        signal: controller.signal,
        clock,
        random: () => 1,
        ...options,
      },
    )
  return { clock, controller, failing, attempts: () => attempts }
}

describe('retry', () => {
  it('returns the first success and reports every earlier failure', async () => {
    const notices: number[] = []
    const { failing, clock } = setup({ onRetry: ({ attempt }) => notices.push(attempt) })
    await expect(failing(unavailable, 2)).resolves.toBe(3)
    expect(notices).toEqual([1, 2])
    expect(clock.sleeps).toEqual([100, 200])
  })

  it('tries an error that is not retryable only once', async () => {
    const { failing, attempts } = setup()
    await expect(failing(() => new AppError('RPC_REFUSED', 'no'))).rejects.toThrow('no')
    expect(attempts()).toBe(1)
  })

  it('tries an unknown error only once', async () => {
    const { failing, attempts } = setup()
    await expect(failing(() => new TypeError('bug'))).rejects.toThrow(TypeError)
    expect(attempts()).toBe(1)
  })

  it('stops at the maximum number of attempts, with the last error', async () => {
    const { failing, attempts, clock } = setup()
    await expect(failing(unavailable)).rejects.toMatchObject({ code: 'RPC_UNAVAILABLE' })
    expect(attempts()).toBe(5)
    expect(clock.sleeps).toEqual([100, 200, 400, 400])
  })

  it('starts no attempt after its time budget', async () => {
    const { failing, attempts, clock } = setup({ budgetMs: 350 })
    await expect(failing(unavailable)).rejects.toMatchObject({ code: 'RPC_UNAVAILABLE' })
    expect(attempts()).toBe(3)
    expect(clock.now()).toBeLessThanOrEqual(350)
  })

  it('keeps each pause between half of its delay and the full delay', async () => {
    const { failing, clock } = setup({ random: () => 0 })
    await expect(failing(unavailable)).rejects.toThrow()
    expect(clock.sleeps).toEqual([50, 100, 200, 200])
  })

  it('ends as soon as it is aborted, and does not retry', async () => {
    const { failing, controller, attempts } = setup({ onRetry: () => controller.abort() })
    await expect(failing(unavailable)).rejects.toMatchObject({ code: 'ABORTED' })
    expect(attempts()).toBe(1)
  })
})

describe('withDeadline', () => {
  const never = () => new Promise<never>(() => {})

  it('returns the result of the operation', async () => {
    await expect(withDeadline(1000, undefined, async () => 7)).resolves.toBe(7)
  })

  it('rejects in time even if the operation ignores the signal, and fires the signal', async () => {
    let seen: AbortSignal | undefined
    const late = withDeadline(5, undefined, (signal) => {
      seen = signal
      return never()
    })
    await expect(late).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED', retryable: true })
    expect(seen?.aborted).toBe(true)
  })

  it('forwards an external abort at once', async () => {
    const controller = new AbortController()
    const waiting = withDeadline(60_000, controller.signal, never)
    controller.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'ABORTED', retryable: false })
  })

  it('starts nothing if it is already aborted', async () => {
    let started = false
    const run = withDeadline(1000, AbortSignal.abort(), async () => {
      started = true
    })
    await expect(run).rejects.toMatchObject({ code: 'ABORTED' })
    expect(started).toBe(false)
  })
})
