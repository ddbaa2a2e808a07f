// When a part that ended is started again, and when that has happened too often to go on.

export type RestartPolicy = {
  /** How long to wait before the next start; undefined once the limit within the window is reached. */
  nextDelayMs(): number | undefined
}

export type RestartLimits = {
  limit: number
  windowMs: number
  baseDelayMs: number
  maxDelayMs: number
}

export const DEFAULT_RESTART_LIMITS: RestartLimits = {
  limit: 5,
  windowMs: 10 * 60_000,
  baseDelayMs: 500,
  maxDelayMs: 30_000,
}

export const createRestartPolicy = (limits: RestartLimits, now: () => number): RestartPolicy => {
  let endings: number[] = []
  return {
    nextDelayMs: () => {
      const nowMs = now()
      endings = [...endings.filter((atMs) => nowMs - atMs < limits.windowMs), nowMs]
      if (endings.length > limits.limit) return undefined
      return Math.min(limits.maxDelayMs, limits.baseDelayMs * 2 ** (endings.length - 1))
    },
  }
}
