// Time limits and limits of memory of the endpoints, with their defaults.

export type NodePoolSettings = {
  /** A call to one endpoint fails after this time without a byte. */
  timeoutMs: number
  /** How long a request is retried over all endpoints before it fails. */
  retryBudgetMs: number
  /** Deadline of one endpoint for a proof or a light block. */
  proofTimeoutMs: number
  /** In addition to the limits by method. */
  maxBodyBytes: number
  /** Limit of concurrent calls per endpoint; further calls wait. */
  maxConcurrentCalls: number
  coolDownMs: number
  maxCoolDownMs: number
  /** The log names an endpoint that is further behind the best one than this. */
  lagToleranceBlocks: number
  /** How long to wait for slower endpoints after the first one reported the tip. */
  statusGraceMs: number
  /** How long to wait for a second endpoint to compare governance events. */
  crossCheckGraceMs: number
  /** Memory limit of all responses from all endpoints at the same time, without those whose memory the caller has. */
  maxBytesInFlight: number
}

export const nodePoolDefaults: NodePoolSettings = {
  timeoutMs: 10_000,
  retryBudgetMs: 30_000,
  proofTimeoutMs: 3_000,
  maxBodyBytes: Number.POSITIVE_INFINITY,
  maxConcurrentCalls: 64,
  coolDownMs: 500,
  maxCoolDownMs: 30_000,
  lagToleranceBlocks: 10,
  statusGraceMs: 500,
  crossCheckGraceMs: 3_000,
  maxBytesInFlight: 256 * 2 ** 20,
}
