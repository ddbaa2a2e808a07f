// Queries the running engine at intervals, and ends one that does not respond, so that it is replaced.
import { type Clock, pause, systemClock } from '../../base/runtime/clock.ts'
import type { Logger } from '../../base/runtime/logger.ts'

export type EngineHealth = {
  /** Whether it accepts a connection and responds to a query within this time. Never rejects. */
  isAnswering(timeoutMs: number): Promise<boolean>
  /** Kills it. */
  kill(): Promise<void>
}

export type WatchLimits = {
  everyMs: number
  timeoutMs: number
  /** Consecutive queries without a response after which it is replaced. */
  misses: number
}

/** An engine that refuses connections is replaced after 15 s, one that accepts them and is silent after 45 s. */
export const DEFAULT_WATCH_LIMITS: WatchLimits = { everyMs: 5_000, timeoutMs: 10_000, misses: 3 }

export type WatchEngineOptions = {
  health: EngineHealth
  /** Fires when the engine has ended, or the machine stops. */
  signal: AbortSignal
  logger: Logger
  limits?: WatchLimits
  clock?: Clock
}

/** Resolves once aborted, or once an unresponsive engine is ended. */
export const watchEngine = async (options: WatchEngineOptions): Promise<void> => {
  const { health, signal, logger, limits = DEFAULT_WATCH_LIMITS, clock = systemClock } = options
  let missed = 0
  while (!signal.aborted) {
    await pause(limits.everyMs, signal, clock)
    if (signal.aborted) return
    const isAnswering = await health.isAnswering(limits.timeoutMs)
    if (signal.aborted) return
    missed = isAnswering ? 0 : missed + 1
    if (missed > 0) logger.warn({ missed, limit: limits.misses }, 'got no answer from ClickHouse')
    if (missed < limits.misses) continue
    logger.error({ missed }, 'ended an unresponsive ClickHouse')
    return health.kill()
  }
}
