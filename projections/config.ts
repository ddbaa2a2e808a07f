// The numbers of the projections. None is a setting: they fit every chain and every store.

export type ProjectionsConfig = typeof PROJECTIONS_CONFIG

export const PROJECTIONS_CONFIG = {
  /** Limit of events per commit, so that a batch and its rows fit in memory; a height is never split. */
  batchEvents: 40_000,
  /** The same in bytes of events, for chains with large proposals. */
  batchBytes: 32 * 1024 * 1024,
  /** Interval of checkpoints without new events: the API reports data as stale if they stop. */
  heartbeatMs: 1_000,
  /** Longest pause between retries while ClickHouse is unavailable: it delays the first commit after that. */
  storeRetryMaxMs: 2_000,
  /** Retired generations that are kept for a switch back, each as large as the tables. */
  keptGenerations: 1,
}
