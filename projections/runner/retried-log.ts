// Wraps the log for the projections: a failed call is retried for a while, so a change of brokers ends nothing.
import type { EventLog } from '../../infra/base/log/event-log.ts'
import type { Clock } from '../../infra/base/runtime/clock.ts'
import { policies } from '../../infra/base/runtime/policies.ts'
import { withRetries } from '../../infra/base/runtime/retry.ts'

/** The read methods of a log. */
export type ReadableLog = Pick<EventLog, 'read' | 'waitFor' | 'end' | 'offsetOfHeight'>

export const createRetriedLog = (
  log: ReadableLog,
  options: { signal: AbortSignal; clock: Clock },
): ReadableLog => ({
  ...withRetries(log, ['read', 'end', 'offsetOfHeight'], { ...policies.logCall, ...options }),
  // A failed wait only ends earlier.
  waitFor: (from, limits) => log.waitFor(from, limits),
})
