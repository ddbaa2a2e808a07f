// The only place that retries and the only one that puts a deadline on a call. Retries nothing but what says it is retryable.
import { abortedError, type Clock, systemClock } from './clock.ts'
import { AppError } from './errors.ts'

type RetryNotice = { attempt: number; delayMs: number; error: AppError }

export type RetryOptions = {
  /** Attempts in all, the first included. */
  limit: number
  /** No new attempt starts later than this after the first one started. */
  budgetMs: number
  baseDelayMs: number
  maxDelayMs: number
  signal: AbortSignal
  clock?: Clock
  /** Told before each pause. */
  onRetry?: (notice: RetryNotice) => void
  /** A number in [0, 1): where in the upper half of the delay the pause lies. */
  random?: () => number
}

const delayOf = (attempt: number, options: RetryOptions): number => {
  const full = Math.min(options.maxDelayMs, options.baseDelayMs * 2 ** (attempt - 1))
  // Half fixed, half random: callers that failed together do not come back together.
  return Math.round(full / 2 + (full / 2) * (options.random ?? Math.random)())
}

/** The result of the first attempt that succeeds; else the last error, unchanged. */
export const retry = async <T>(
  operation: (attempt: number) => Promise<T>,
  options: RetryOptions,
): Promise<T> => {
  const clock = options.clock ?? systemClock
  const startedMs = clock.now()
  for (let attempt = 1; ; attempt++) {
    if (options.signal.aborted) throw abortedError(options.signal)
    try {
      return await operation(attempt)
    } catch (error) {
      if (!(error instanceof AppError) || !error.retryable) throw error
      const delayMs = delayOf(attempt, options)
      const spentMs = clock.now() - startedMs
      if (attempt >= options.limit || spentMs + delayMs > options.budgetMs) throw error
      options.onRetry?.({ attempt, delayMs, error })
      await clock.sleep(delayMs, options.signal)
    }
  }
}

/**
 * Runs `operation` with a signal that fires after `timeoutMs` or with `signal`. Rejects with
 * `DEADLINE_EXCEEDED` (retryable) or `ABORTED` at once then, even if the operation does not listen.
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
  const onAbort = () => stop(abortedError(signal))
  const timer = setTimeout(
    () =>
      stop(
        new AppError('DEADLINE_EXCEEDED', `no answer within ${timeoutMs} ms`, { retryable: true }),
      ),
    timeoutMs,
  )
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([operation(controller.signal), stopped])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}
