// All retries and deadlines of calls. Retries only errors that are marked as retryable.

import { abortedError, onAbort } from './abort.ts'
import { type Clock, pause, systemClock } from './clock.ts'
import { AppError } from './errors.ts'
import type { PausePolicy, RetryPolicy } from './policies.ts'

export type RetryNotice = {
  attempt: number
  delayMs: number
  /** Since the first attempt started. */
  spentMs: number
  error: AppError
}

export type RetryOptions = RetryPolicy & {
  signal: AbortSignal
  clock?: Clock
  /** Selects the errors to retry; by default those marked as retryable. */
  when?: (error: AppError) => boolean
  /** Called before each pause. */
  onRetry?: (notice: RetryNotice) => void
  random?: Random
}

/** A number in [0, 1) that selects the pause within the upper half of the delay. */
type Random = () => number

/** The pause after this number of failures in a row. */
export const delayAfter = (
  failures: number,
  { baseDelayMs, maxDelayMs, random = Math.random }: PausePolicy & { random?: Random },
): number => {
  const full = Math.min(maxDelayMs, baseDelayMs * 2 ** (failures - 1))
  // Half fixed, half random: callers that failed together do not retry together.
  return Math.round(full / 2 + (full / 2) * random())
}

/** The result of the first attempt that succeeds; else the last error, unchanged. */
export const retry = async <T>(
  operation: (attempt: number) => Promise<T>,
  options: RetryOptions,
): Promise<T> => {
  const { clock = systemClock, when = ({ retryable }) => retryable } = options
  const startedMs = clock.now()
  for (let attempt = 1; ; attempt++) {
    if (options.signal.aborted) throw abortedError(options.signal)
    try {
      return await operation(attempt)
    } catch (error) {
      if (!(error instanceof AppError && when(error))) throw error
      const delayMs = delayAfter(attempt, options)
      const spentMs = clock.now() - startedMs
      if (attempt >= options.limit || spentMs + delayMs > options.budgetMs) throw error
      options.onRetry?.({ attempt, delayMs, spentMs, error })
      await clock.sleep(delayMs, options.signal)
    }
  }
}

/**
 * Runs `operation` with a signal that fires after `timeoutMs` or with `signal`. It then rejects at once with
 * `DEADLINE_EXCEEDED` (retryable) or `ABORTED`, even if the operation ignores the signal.
 */
export const withDeadline = async <T>(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  operation: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  if (signal?.aborted) throw abortedError(signal)
  const controller = new AbortController()
  let stop = (_: AppError): void => {}
  const stopped = new Promise<never>((_, reject) => {
    stop = (error) => {
      reject(error)
      controller.abort(error)
    }
  })
  const unlink = onAbort(signal, () => stop(abortedError(signal)))
  const timer = setTimeout(
    () =>
      stop(
        new AppError('DEADLINE_EXCEEDED', `no answer within ${timeoutMs} ms`, { retryable: true }),
      ),
    timeoutMs,
  )
  try {
    return await Promise.race([operation(controller.signal), stopped])
  } finally {
    clearTimeout(timer)
    unlink()
  }
}

export type SuperviseOptions = {
  policy: PausePolicy
  signal: AbortSignal
  clock?: Clock
  /** Called after each failure; `failures` counts those in a row. */
  onFailure: (error: AppError, failures: number) => void
  /** Called once it works after a failure. */
  onRecovery?: () => void
}

/**
 * Runs `loop`, and again whenever it returns or fails, until the signal fires. `works` and a return reset the number
 * of failures. Rejects with any error that is not an `AppError`: it is a bug, and no restart helps.
 */
export const supervise = async (
  loop: (works: () => void) => Promise<void>,
  { policy, signal, clock = systemClock, onFailure, onRecovery }: SuperviseOptions,
): Promise<void> => {
  let failures = 0
  const works = () => {
    if (failures > 0) onRecovery?.()
    failures = 0
  }
  while (!signal.aborted) {
    try {
      await loop(works)
      if (!signal.aborted) works()
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (signal.aborted) return
      failures++
      onFailure(error, failures)
    }
    await pause(failures === 0 ? policy.baseDelayMs : delayAfter(failures, policy), signal, clock)
  }
}

/** Calls `step` each time `ms` have passed, until the signal fires. Rejects with its first error. */
export const every = async (
  ms: number,
  { signal, clock = systemClock }: { signal: AbortSignal; clock?: Clock },
  step: () => unknown,
): Promise<void> => {
  while (!signal.aborted) {
    await pause(ms, signal, clock)
    if (!signal.aborted) await step()
  }
}
