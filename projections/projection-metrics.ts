// The metrics of the projections.
import type { Store } from '../infra/base/clickhouse/client.ts'
import type { Clock } from '../infra/base/runtime/clock.ts'
import type { Metrics } from '../infra/base/runtime/metrics.ts'
import { toDatabaseName } from './contract/database.ts'
import { IS_STOPPED } from './contract/stopped-proposals.ts'
import { TABLES } from './contract/tables.ts'
import type { Checkpoint } from './runner/checkpoint.ts'

const COMMIT_SECONDS = [0.01, 0.02, 0.04, 0.06, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30]

type Committed = { at: Checkpoint; events: number; durationMs: number; lagEvents: bigint }

export type ProjectionMetrics = ReturnType<typeof createProjectionMetrics>

export function createProjectionMetrics(metrics: Metrics) {
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
  const openProposals = metrics.gauge({ name: 'open_proposals', help: 'Open proposals' })
  const undecodableRecords = metrics.counter({
    name: 'undecodable_records_total',
    help: 'Records that could not be decoded',
  })
  const unmatchedTallies = metrics.counter({
    name: 'unmatched_tallies_total',
    help: 'Tallied rounds with a recomputed tally that differs from the chain (no) or is unknown (unknown)',
    labels: ['matches_chain'],
  })
  const impossibleNumbers = metrics.counter({
    name: 'impossible_numbers_total',
    help: 'Voting rounds with impossible computed numbers, which are left out',
  })
  const refusedRows = metrics.counter({
    name: 'refused_rows_total',
    help: 'Rows that their table refused',
    labels: ['table'],
  })
  const storeRetries = metrics.counter({
    name: 'store_retries_total',
    help: 'Inserts that were retried because the store was unavailable',
  })
  return {
    lagEvents: (value: number) => lagEvents.set(value),
    openProposals: (value: number) => openProposals.set(value),
    undecodableRecords: (by: number) => undecodableRecords.inc(by),
    unmatchedTally: (matchesChain: string) => unmatchedTallies.inc({ matches_chain: matchesChain }),
    impossibleNumbers: () => impossibleNumbers.inc(),
    refusedRow: (table: string) => refusedRows.inc({ table }),
    storeRetry: () => storeRetries.inc(),
    committed(done: Committed) {
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
export function whenActive(metrics: ProjectionMetrics, isActive: () => boolean): ProjectionMetrics {
  const reports = Object.entries(metrics).map(([name, report]) => [
    name,
    (value: never) => isActive() && report(value),
  ])
  return Object.fromEntries(reports) as ProjectionMetrics
}

const CHECK_MS = 10_000
const QUERY_MS = 5_000

type FaultCounts = { stopped: string; differing: string }

/** Counts faults in the served tables every ten seconds, so that a rebuild without them ends the alert. */
export function createFaultGauges(metrics: Metrics, store: Store, clock: Clock) {
  const stopped = metrics.gauge({
    name: 'stopped_proposals',
    help: 'Proposals that stopped because a table refused a row of them',
  })
  const differingTallies = metrics.gauge({
    name: 'differing_tallies',
    help: 'Rounds in the served tables with a recomputed tally that differs from the chain',
  })
  let last = { generation: 0, atMs: Number.NEGATIVE_INFINITY }
  return async (generation: number, control: string): Promise<void> => {
    const atMs = clock.now()
    if (last.generation === generation && atMs - last.atMs < CHECK_MS) return
    const database = toDatabaseName(generation, control)
    const [row] = await store.select<FaultCounts>(
      `SELECT (SELECT count() FROM ${database}.${TABLES.proposals.name} FINAL WHERE ${IS_STOPPED}) AS stopped,
         (SELECT count() FROM ${database}.${TABLES.tallies.name} FINAL WHERE matches_chain = 'no') AS differing`,
      {},
      { timeoutMs: QUERY_MS },
    )
    stopped.set(Number(row?.stopped ?? 0))
    differingTallies.set(Number(row?.differing ?? 0))
    last = { generation, atMs }
  }
}
