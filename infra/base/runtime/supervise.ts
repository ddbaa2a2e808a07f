// Loops that run until a signal fires: at an interval, or restarted after each failure.
import { type Clock, pause, systemClock } from './clock.ts'
import { AppError } from './errors.ts'
import type { PausePolicy } from './policies.ts'
import { delayAfter } from './retry.ts'

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
