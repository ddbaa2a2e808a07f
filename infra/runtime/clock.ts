// Time as a dependency: what reads the clock or sleeps takes a `Clock`, so that a test can own it.
import { AppError } from './errors.ts'

export type Clock = {
  /** Milliseconds since the Unix epoch. */
  now(): number
  /** Resolves after `ms`; rejects with `ABORTED` as soon as `signal` fires. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** `ABORTED`, with the signal's reason as the cause. */
export const abortedError = (signal?: AbortSignal): AppError =>
  new AppError('ABORTED', 'aborted', { cause: signal?.reason })

/** Resolves once `signal` fires. */
export const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(abortedError(signal))
      const onAbort = () => {
        clearTimeout(timer)
        reject(abortedError(signal))
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      }, ms)
      signal?.addEventListener('abort', onAbort, { once: true })
    }),
}
