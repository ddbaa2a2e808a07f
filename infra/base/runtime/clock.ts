// Time as a dependency: code that reads the clock or sleeps takes a `Clock`, so that a test can replace it.
import { setTimeout } from 'node:timers/promises'
import { abortedError } from './abort.ts'
import { hasCode } from './errors.ts'

export type Clock = {
  /** Milliseconds since the Unix epoch. */
  now(): number
  /** Resolves after `ms`; rejects with `ABORTED` as soon as `signal` fires. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    try {
      await setTimeout(ms, undefined, signal ? { signal } : {})
    } catch {
      throw abortedError(signal)
    }
  },
}

/** Resolves after `ms`, or as soon as `signal` fires. */
export const pause = async (
  ms: number,
  signal: AbortSignal,
  clock = systemClock,
): Promise<void> => {
  try {
    await clock.sleep(ms, signal)
  } catch (error) {
    if (!hasCode(error, 'ABORTED')) throw error
  }
}
