// The metrics of the projections.
import type { Metrics } from '../infra/base/runtime/metrics.ts'
import type { Checkpoint } from './runner/checkpoint.ts'

export type ProjectionMetrics = {
  lagEvents: { set(value: number): void }
  openProposals: { set(value: number): void }
  deadLetters: { inc(by: number): void }
  unmatchedTallies: { inc(labels: { matches_chain: string }): void }
  /** Voting rounds with an impossible computed number. */
  impossibleNumbers: { inc(): void }
  refusedRows: { inc(labels: { table: string }): void }
  storeRetries: { inc(): void }
  committed(done: { at: Checkpoint; events: number; durationMs: number; lagEvents: bigint }): void
}

const COMMIT_SECONDS = [0.01, 0.02, 0.04, 0.06, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30]

export const createProjectionMetrics = (metrics: Metrics): ProjectionMetrics => {
  const events = metrics.counter({ name: 'events_total', help: 'Projected events' })
  const commits = metrics.histogram({
    name: 'commit_seconds',
    help: 'Time from folded rows to a written checkpoint',
    buckets: COMMIT_SECONDS,
  })
  const height = metrics.gauge({ name: 'height', help: 'Last projected height' })
  const lagEvents = metrics.gauge({
    name: 'lag_events',
    help: 'Events in the log that are not projected yet',
  })
  const history = metrics.gauge({
    name: 'past_votes',
    help: 'Proposals that ended before the first indexed height: recomputed (done), unreachable, or neither (waiting)',
    labels: ['state'],
  })
  return {
    lagEvents,
    openProposals: metrics.gauge({ name: 'open_proposals', help: 'Open proposals' }),
    deadLetters: metrics.counter({
      name: 'dead_letters_total',
      help: 'Records that could not be decoded',
    }),
    unmatchedTallies: metrics.counter({
      name: 'unmatched_tallies_total',
      help: 'Tallied rounds with a recomputed tally that differs from the chain (no) or is unknown (unknown)',
      labels: ['matches_chain'],
    }),
    impossibleNumbers: metrics.counter({
      name: 'impossible_numbers_total',
      help: 'Voting rounds with impossible computed numbers, which are left out',
    }),
    refusedRows: metrics.counter({
      name: 'refused_rows_total',
      help: 'Rows with a value that their table cannot store',
      labels: ['table'],
    }),
    storeRetries: metrics.counter({
      name: 'store_retries_total',
      help: 'Inserts that were retried because the store was unavailable',
    }),
    committed(done) {
      events.inc(done.events)
      commits.observe(done.durationMs / 1000)
      height.set(done.at.height)
      lagEvents.set(Number(done.lagEvents))
      const past = done.at.history
      if (past === null) return
      history.set({ state: 'done' }, past.done)
      history.set({ state: 'unreachable' }, past.unreachable)
      history.set({ state: 'waiting' }, past.total - past.done - past.unreachable)
    },
  }
}

/** Of one generation among several: reported only while that generation is served. */
export const createActiveMetrics = (
  metrics: ProjectionMetrics,
  isActive: () => boolean,
): ProjectionMetrics => {
  const whenActive =
    <Given extends unknown[]>(report: (...given: Given) => void) =>
    (...given: Given): void => {
      if (isActive()) report(...given)
    }
  return {
    lagEvents: { set: whenActive((value: number) => metrics.lagEvents.set(value)) },
    openProposals: { set: whenActive((value: number) => metrics.openProposals.set(value)) },
    deadLetters: { inc: whenActive((by: number) => metrics.deadLetters.inc(by)) },
    unmatchedTallies: {
      inc: whenActive((labels: { matches_chain: string }) => metrics.unmatchedTallies.inc(labels)),
    },
    impossibleNumbers: { inc: whenActive(() => metrics.impossibleNumbers.inc()) },
    refusedRows: {
      inc: whenActive((labels: { table: string }) => metrics.refusedRows.inc(labels)),
    },
    // The store is the same for all generations.
    storeRetries: metrics.storeRetries,
    committed: whenActive(metrics.committed),
  }
}
