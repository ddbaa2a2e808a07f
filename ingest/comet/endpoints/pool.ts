// What all requests to the endpoints of one chain share: the endpoints, their limits, and the one way to read from them.
import type { Clock } from '../../../infra/base/runtime/clock.ts'
import type { Logger } from '../../../infra/base/runtime/logger.ts'
import type { Metrics } from '../../../infra/base/runtime/metrics.ts'
import { getRepeatedWarnings } from '../../../infra/base/runtime/repeated-warnings.ts'
import type { EventSelection } from '../blocks/event-collector.ts'
import type { Headers } from '../transport/http-post.ts'
import { createMemoryBudget } from '../transport/memory-budget.ts'
import { createRpcClient } from '../transport/rpc.ts'
import type { Fingerprint } from '../verification/cross-check.ts'
import { HEDGE_MS } from './ask-endpoints.ts'
import { createEndpoint, type Endpoint } from './endpoint.ts'
import {
  endpointNames,
  type NodeHealth,
  type NodeMetrics,
  reportEndpoint,
} from './endpoint-health.ts'
import type { Ring } from './ring.ts'

export type NodePoolSettings = {
  /** A call to one endpoint fails after this time without a byte. */
  timeoutMs: number
  /** How long a read is repeated over all endpoints before it fails, if its reader does not say it. */
  retryBudgetMs: number
  /** The same for the first read, of the chain; by default `retryBudgetMs`. */
  connectBudgetMs?: number
  /** A height that cannot be read for so long is reported. */
  outageAfterMs: number
  /** A call that takes longer, and several times as long as usual, is asked of a second endpoint as well. */
  hedgeAfterMs: number
  /** Deadline of one endpoint for a proof or a light block. */
  proofTimeoutMs: number
  /** In addition to the limits by method. */
  maxBodyBytes: number
  /** Limit of concurrent calls per endpoint; further calls wait. */
  maxConcurrentCalls: number
  /** Limit of requests per endpoint; undefined: it is found. */
  maxPerSecond: number | undefined
  coolDownMs: number
  maxCoolDownMs: number
  /** The log names an endpoint that is further behind the best one than this, and it is not asked to compare heights. */
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
  outageAfterMs: 30_000,
  hedgeAfterMs: HEDGE_MS,
  proofTimeoutMs: 3_000,
  maxBodyBytes: Number.POSITIVE_INFINITY,
  maxConcurrentCalls: 64,
  maxPerSecond: undefined,
  coolDownMs: 500,
  maxCoolDownMs: 30_000,
  lagToleranceBlocks: 10,
  statusGraceMs: 500,
  crossCheckGraceMs: 3_000,
  maxBytesInFlight: 256 * 2 ** 20,
}

export type NodePoolOptions = {
  urls: readonly string[]
  /** Sent to the endpoint with this URL. */
  headers?: ReadonlyMap<string, Headers> | undefined
  /** If absent, the first endpoint that answers sets the chain. */
  chainId?: string
  /** Blocks with a non-empty result are compared between two hosts; if absent, no block is. */
  fingerprint?: Fingerprint
  /** The events of a block to keep; if absent, all. */
  selection?: EventSelection
  /** Accepts only blocks with the signatures of their validators. */
  verifyHeaders?: boolean
  /** Whether the log says that the headers do not cover the transactions. */
  hasDataSquares?: boolean
  /** Receives the health of the endpoints; if absent, no readiness check uses it. */
  health?: NodeHealth
  settings?: Partial<NodePoolSettings>
  logger: Logger
  metrics: Metrics
  clock?: Clock
  /** Aborts connecting; `close` ends the connected node. */
  signal?: AbortSignal
}

export type Pool = {
  options: NodePoolOptions
  settings: NodePoolSettings
  clock: Clock
  metrics: NodeMetrics
  health: NodeHealth
  signal: AbortSignal
  endpoints: readonly Endpoint[]
} & Ring

export function createEndpoints(
  { options, settings, ...shared }: Omit<Pool, 'endpoints' | keyof Ring>,
  expectedChainId: () => string | undefined,
): Endpoint[] {
  const names = endpointNames(options.urls)
  const budget = createMemoryBudget(settings.maxBytesInFlight)
  const warnings = getRepeatedWarnings(options.logger)
  return options.urls.map((url, index) => {
    const name = names[index]!
    const headers = options.headers?.get(url)
    const rpc = createRpcClient({
      ...settings,
      url,
      headers,
      onRefused: (error) =>
        warnings.warn({
          key: `limited ${name}`,
          fields: { endpoint: name, reason: error.message },
          message: 'endpoint limits requests',
        }),
      onAnswer: (method, outcome) =>
        shared.metrics.requests.inc({ endpoint: name, method, outcome }),
      budget,
      clock: shared.clock,
    })
    const endpoint = createEndpoint({
      ...settings,
      ...shared,
      name,
      host: new URL(url).host,
      rpc,
      expectedChainId,
      logger: options.logger,
    })
    shared.health.track(name, () => reportEndpoint(endpoint, rpc.pace.read()))
    return endpoint
  })
}
