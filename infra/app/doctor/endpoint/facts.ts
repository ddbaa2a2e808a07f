// What one endpoint is and has. Each fact that could not be found out has its reason.
import type { Answer } from '../../../../ingest/chain/answer.ts'

export type PaceFact = {
  /** The most requests answered within one second. */
  perSecond: number
  requests: number
  /** From the first request to the last answer. */
  seconds: number
  medianMs: number
  /** The reason why the probe stopped early. */
  stopped?: { reason: string; isRefusal: boolean; retryAfterSeconds?: number }
}

export type EndpointFacts = {
  chainId: string
  nodeVersion: string
  app: Answer<{ name: string; version: string; sdkVersion: string }>
  tip: number
  isCatchingUp: boolean
  /** Average of the last heights. */
  blockSeconds: Answer<number>
  /** The lowest heights that are kept. */
  earliest: { block: number; results: Answer<number>; state: Answer<number> }
  hasTxIndex: boolean | undefined
  websocket: Answer<true>
  isCompressed: Answer<boolean>
  /** Number of validators whose signatures of a header were verified. */
  verifiedBy: Answer<number>
  /** Null if the chain has no x/gov. */
  gov: Answer<{ package: string; openVotes: number | null } | null>
  clock: {
    /** The clock of the endpoint minus the own one; undefined without a `Date` header. */
    differenceSeconds: number | undefined
    latestBlockAgeSeconds: number | undefined
  }
  /** Requests that were refused before the probe of the pace. */
  refusals: number
  pace: PaceFact
}
