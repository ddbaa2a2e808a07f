// The metrics of ingest: progress, appends, and every fault that needs an alert.
import type { Metrics } from '../infra/base/runtime/metrics.ts'

export const createIngestMetrics = (metrics: Metrics) => ({
  height: metrics.gauge({ name: 'appended_height', help: 'Last height in the log' }),
  lag: metrics.gauge({ name: 'lag_blocks', help: 'Heights between the tip and the log' }),
  heights: metrics.counter({ name: 'heights_total', help: 'Heights appended' }),
  events: metrics.counter({ name: 'events_total', help: 'Events of heights', labels: ['type'] }),
  undecodable: metrics.counter({
    name: 'undecodable_events_total',
    help: 'Governance events that could not be decoded',
  }),
  disagreements: metrics.counter({
    name: 'state_disagreements_total',
    help: 'Open proposals that the state of the chain has otherwise than its events, by finding',
    labels: ['finding'],
  }),
  unavailable: metrics.counter({
    name: 'unavailable_reads_total',
    help: 'Facts in the log that are null with a reason',
  }),
  proofs: metrics.counter({
    name: 'proofs_total',
    help:
      'Proofs of proposals: kept, missing with a reason in the log, or no_space if the index of the ' +
      'height is full',
    labels: ['outcome'],
  }),
  tallyRereads: metrics.counter({
    name: 'tally_rereads_total',
    help: 'Tallies with inputs that were read again because the recomputed result differed',
  }),
  tallyMismatches: metrics.counter({
    name: 'tally_mismatches_total',
    help: 'Tallies with a recomputed result that differs from the chain',
  }),
  liveTallyDifferences: metrics.counter({
    name: 'live_tally_differences_total',
    help: 'Comparisons during a vote in which the tally of the node is not the recomputed one',
  }),
  reduced: metrics.counter({
    name: 'reduced_events_total',
    help: 'Events that were too large for the log and name the parts that were left out',
  }),
  logRefused: metrics.gauge({
    name: 'log_refused',
    help: '1 while the log refuses appends for a permanent reason',
  }),
  ballotChecks: metrics.counter({
    name: 'ballot_checks_total',
    help:
      'Ended votes, by the comparison of their ballots with the state of the height before: ' +
      'same, different, or skipped if no node has that state',
    labels: ['outcome'],
  }),
  logFull: metrics.gauge({ name: 'log_full', help: '1 while the log is full' }),
  pastVotes: metrics.gauge({
    name: 'past_votes',
    help:
      'Votes that ended before the first height: total, done, or unreachable if no endpoint can show ' +
      'them at present',
    labels: ['state'],
  }),
  appendSeconds: metrics.histogram({
    name: 'append_seconds',
    help: 'Time of one append, including waits for a full or unreachable log',
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60],
  }),
})
export type IngestMetrics = ReturnType<typeof createIngestMetrics>
