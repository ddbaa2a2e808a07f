// The log as the projections read it: what fails for now is tried again for a while, so that a broker that changes or a
// moment without a network ends nothing.
import type { EventLog } from '../infra/log/event-log.ts'
import type { Clock } from '../infra/runtime/clock.ts'
import { retry } from '../infra/runtime/retry.ts'

/** What the projections need of a log: they only read. */
export type ReadableLog = Pick<EventLog, 'read' | 'waitFor' | 'end' | 'offsetOfHeight'>

const LOG_BUDGET_MS = 60_000
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 2_000

export const patientLog = (
  log: ReadableLog,
  { signal, clock }: { signal: AbortSignal; clock: Clock },
): ReadableLog => {
  const insist = <T>(attempt: () => Promise<T>): Promise<T> =>
    retry(attempt, {
      limit: Number.POSITIVE_INFINITY,
      budgetMs: LOG_BUDGET_MS,
      baseDelayMs: FIRST_PAUSE_MS,
      maxDelayMs: LONGEST_PAUSE_MS,
      signal,
      clock,
    })
  return {
    // A wait that fails is only over sooner.
    waitFor: (from, options) => log.waitFor(from, options),
    read: (from, limits) => insist(() => log.read(from, limits)),
    end: () => insist(() => log.end()),
    offsetOfHeight: (height) => insist(() => log.offsetOfHeight(height)),
  }
}
