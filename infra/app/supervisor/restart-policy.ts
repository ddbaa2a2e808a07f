// Decides when an ended child is restarted: always, after a pause that grows while it keeps ending.
import type { RestartLimits } from '../../base/runtime/policies.ts'

export type Restart = {
  delayMs: number
  /** Number of exits within the window. */
  endings: number
  /** True if that exceeds the limit: an operator should check it. */
  isRepeated: boolean
}

export type RestartPolicy = {
  /** Call it for each exit. */
  next(): Restart
}

export const createRestartPolicy = (limits: RestartLimits, now: () => number): RestartPolicy => {
  let endings: number[] = []
  return {
    next: () => {
      const nowMs = now()
      endings = [...endings.filter((atMs) => nowMs - atMs < limits.windowMs), nowMs]
      return {
        delayMs: Math.min(limits.maxDelayMs, limits.baseDelayMs * 2 ** (endings.length - 1)),
        endings: endings.length,
        isRepeated: endings.length > limits.limit,
      }
    },
  }
}
