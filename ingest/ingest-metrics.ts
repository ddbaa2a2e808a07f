// What ingest counts: its place on the chain, what it appended, and everything an operator should be alarmed by.
import type { Metrics } from '../infra/runtime/metrics.ts'

export const createIngestMetrics = (metrics: Metrics) => ({
  height: metrics.gauge({ name: 'appended_height', help: 'Last height in the log' }),
  lag: metrics.gauge({ name: 'lag_blocks', help: 'Heights between the tip and the log' }),
  heights: metrics.counter({ name: 'heights_total', help: 'Heights appended' }),
  events: metrics.counter({ name: 'events_total', help: 'Events of heights', labels: ['type'] }),
  undecodable: metrics.counter({
    name: 'unread_events_total',
    help: 'Governance events of the chain that could not be understood',
  }),
  unavailable: metrics.counter({
    name: 'unavailable_reads_total',
    help: 'Facts that stand in the log as null with a reason',
  }),
  proofs: metrics.counter({
    name: 'proofs_total',
    help:
      'Proofs of proposals: kept, missing where the log says why, or no_room where the height has ' +
      'no number left for them',
    labels: ['outcome'],
  }),
  tallyRereads: metrics.counter({
    name: 'tally_rereads_total',
    help: 'Tallies whose inputs were all read again, for the recomputed result differed',
  }),
  tallyMismatches: metrics.counter({
    name: 'tally_mismatches_total',
    help: 'Tallies that do not come out as the chain has them',
  }),
  reduced: metrics.counter({
    name: 'reduced_events_total',
    help: 'Events that were too large for the log and stand in it without a part, which they name',
  }),
  logRefused: metrics.gauge({
    name: 'log_refused',
    help: '1 while the log refuses appends for a reason that waiting does not change',
  }),
  ballotChecks: metrics.counter({
    name: 'ballot_checks_total',
    help:
      'Ended votes whose ballots were compared with the chain’s state of the height before: ' +
      'same, different, or skipped where no node has that state',
    labels: ['outcome'],
  }),
  logFull: metrics.gauge({ name: 'log_full', help: '1 while the log has no room' }),
  appendSeconds: metrics.histogram({
    name: 'append_seconds',
    help: 'Time of one append, waits for a full or unreachable log included',
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60],
  }),
})
export type IngestMetrics = ReturnType<typeof createIngestMetrics>
