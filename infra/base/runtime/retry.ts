// All retries and deadlines of calls. Retries only errors that are marked as retryable.
import { abortedError, onAbort } from './abort.ts'
import { type Clock, systemClock } from './clock.ts'
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

type AnyMethod = (...parameters: unknown[]) => Promise<unknown>
type AsyncMethods<Port, Name extends keyof Port> = {
  [Each in Name]: Extract<Port[Each], (...parameters: never[]) => Promise<unknown>>
}

export type PortRetryOptions<Call> = Omit<RetryOptions, 'onRetry' | 'random'> & {
  /** Called before each pause, with the call that failed. */
  onRetry?: (notice: RetryNotice & { call: Call }) => void
}

/** Returns these methods of `port` with retries. */
export const withRetries = <Port extends object, Name extends keyof Port & string>(
  port: Port,
  names: readonly Name[],
  { onRetry, ...options }: PortRetryOptions<{ method: Name; parameters: readonly unknown[] }>,
): AsyncMethods<Port, Name> => {
  const retried =
    (method: Name) =>
    (...parameters: unknown[]) =>
      retry(() => Reflect.apply(port[method] as AnyMethod, port, parameters), {
        ...options,
        onRetry: (notice) => onRetry?.({ ...notice, call: { method, parameters } }),
      })
  return Object.fromEntries(names.map((name) => [name, retried(name)])) as AsyncMethods<Port, Name>
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
