// The log as the projections read it: a call that fails is retried for a while, so a broker that changes ends nothing.
import type { EventLog } from '../infra/log/event-log.ts'
import type { Clock } from '../infra/runtime/clock.ts'
import { policies } from '../infra/runtime/policies.ts'
import { withRetries } from '../infra/runtime/retry.ts'

/** What the projections need of a log: they only read. */
export type ReadableLog = Pick<EventLog, 'read' | 'waitFor' | 'end' | 'offsetOfHeight'>

export const createRetriedLog = (
  log: ReadableLog,
  options: { signal: AbortSignal; clock: Clock },
): ReadableLog => ({
  ...withRetries(log, ['read', 'end', 'offsetOfHeight'], { ...policies.logCall, ...options }),
  // A wait that fails is only over sooner.
  waitFor: (from, limits) => log.waitFor(from, limits),
})
