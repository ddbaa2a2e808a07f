// What the projections count and measure, for the operators' port.
import type { Metrics } from '../infra/runtime/metrics.ts'
import type { Checkpoint } from './checkpoint.ts'

export type ProjectionMetrics = {
  lagEvents: { set(value: number): void }
  openProposals: { set(value: number): void }
  deadLetters: { inc(by: number): void }
  unmatchedTallies: { inc(labels: { matches_chain: string }): void }
  /** Voting rounds of which something impossible was computed. */
  impossibleNumbers: { inc(): void }
  refusedRows: { inc(labels: { table: string }): void }
  storeRetries: { inc(): void }
  committed(done: { at: Checkpoint; events: number; durationMs: number; lagEvents: bigint }): void
}

const COMMIT_SECONDS = [0.01, 0.02, 0.04, 0.06, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30]

export const createProjectionMetrics = (metrics: Metrics): ProjectionMetrics => {
  const events = metrics.counter({ name: 'events_total', help: 'Events projected' })
  const commits = metrics.histogram({
    name: 'commit_seconds',
    help: 'Time from folded rows to the written checkpoint',
    buckets: COMMIT_SECONDS,
  })
  const height = metrics.gauge({ name: 'height', help: 'Last projected height' })
  const lagEvents = metrics.gauge({ name: 'lag_events', help: 'Events known, not yet projected' })
  return {
    lagEvents,
    openProposals: metrics.gauge({ name: 'open_proposals', help: 'Proposals that can change' }),
    deadLetters: metrics.counter({
      name: 'dead_letters_total',
      help: 'Records that could not be read',
    }),
    unmatchedTallies: metrics.counter({
      name: 'unmatched_tallies_total',
      help: 'Tallied rounds whose recomputed tally differs from the chain’s (no) or is not known (unknown)',
      labels: ['matches_chain'],
    }),
    impossibleNumbers: metrics.counter({
      name: 'impossible_numbers_total',
      help: 'Voting rounds whose computed numbers are left out because they cannot be',
    }),
    refusedRows: metrics.counter({
      name: 'refused_rows_total',
      help: 'Rows with a value that their table cannot hold',
      labels: ['table'],
    }),
    storeRetries: metrics.counter({
      name: 'store_retries_total',
      help: 'Inserts tried again because the store was unavailable',
    }),
    committed(done) {
      events.inc(done.events)
      commits.observe(done.durationMs / 1000)
      height.set(done.at.height)
      lagEvents.set(Number(done.lagEvents))
    },
  }
}
