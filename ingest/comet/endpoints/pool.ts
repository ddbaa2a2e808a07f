// What all requests to the endpoints of one chain share: the endpoints, their limits, and when a failed one is repeated.
import type { Clock } from '../../../infra/base/runtime/clock.ts'
import type { Logger } from '../../../infra/base/runtime/logger.ts'
import type { Metrics } from '../../../infra/base/runtime/metrics.ts'
import { policies } from '../../../infra/base/runtime/policies.ts'
import { getRepeatedWarnings } from '../../../infra/base/runtime/repeated-warnings.ts'
import { retry } from '../../../infra/base/runtime/retry.ts'
import type { EventSelection } from '../blocks/event-collector.ts'
import type { Headers } from '../transport/http-post.ts'
import { createLargeReads, type LargeReads } from '../transport/large-reads.ts'
import { createMemoryBudget } from '../transport/memory-budget.ts'
import { createRpcClient } from '../transport/rpc.ts'
import type { Fingerprint } from '../verification/cross-check.ts'
import type { Need } from './ask-endpoints.ts'
import { createEndpoint, type Endpoint } from './endpoint.ts'
import { endpointNames } from './endpoint-names.ts'
import { reportEndpoint } from './endpoint-report.ts'
import type { NodeHealth } from './node-health.ts'
import type { NodeMetrics } from './node-metrics.ts'
import { OUTAGE_MS, repeatRead } from './repeat-read.ts'

export type NodePoolSettings = {
  /** A call to one endpoint fails after this time without a byte. */
  timeoutMs: number
  /** How long a read is repeated over all endpoints before it fails; 0 if its reader repeats it. */
  retryBudgetMs: number
  /** The same for the first read, of the chain; by default `retryBudgetMs`. */
  connectBudgetMs?: number
  /** A height that cannot be read for so long is reported. */
  outageAfterMs: number
  /** How long the only endpoint repeats a request that it refuses because of its limits. */
  patienceMs: number
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
  retryBudgetMs: OUTAGE_MS,
  outageAfterMs: OUTAGE_MS,
  patienceMs: 30_000,
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
  /** Notes the endpoints that send large responses. */
  largeReads?: LargeReads
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
}

/** How long a request waits for an endpoint that limits requests, if another one may answer it. */
const SHORT_PATIENCE_MS = 2_000

export const createEndpoints = (
  { options, settings, ...shared }: Omit<Pool, 'endpoints'>,
  expectedChainId: () => string | undefined,
): Endpoint[] => {
  const names = endpointNames(options.urls)
  const budget = createMemoryBudget(settings.maxBytesInFlight)
  const largeReads = options.largeReads ?? createLargeReads()
  const warnings = getRepeatedWarnings(options.logger)
  const isAlone = options.urls.length === 1
  const patienceMs = isAlone ? settings.patienceMs : SHORT_PATIENCE_MS
  return options.urls.map((url, index) => {
    const name = names[index]!
    const headers = options.headers?.get(url)
    const onLarge = (method: string, { height = '' }: Record<string, unknown>) =>
      largeReads.begin(name, `${method} ${height}`.trim())
    const rpc = createRpcClient({
      ...settings,
      url,
      headers,
      patienceMs,
      onRefused: (error) =>
        warnings.warn({
          key: `limited ${name}`,
          fields: { endpoint: name, reason: error.message },
          message: 'endpoint limits requests',
        }),
      onAnswer: (method, outcome) =>
        shared.metrics.requests.inc({ endpoint: name, method, outcome }),
      budget,
      onLarge,
      clock: shared.clock,
    })
    const endpoint = createEndpoint({
      ...settings,
      ...shared,
      name,
      host: new URL(url).host,
      rpc,
      interrupted: largeReads.interrupted.get(name),
      expectedChainId,
      logger: options.logger,
    })
    shared.health.track(name, () => reportEndpoint(endpoint, rpc.pace.read()))
    return endpoint
  })
}

/** Repeats a read over all endpoints until the budget is spent. */
export type Within = <T>(what: string, round: () => Promise<T>) => Promise<T>

export const withinBudget =
  ({ settings, options: { logger }, signal, clock }: Pool): Within =>
  (what, round) => {
    const { outageAfterMs, retryBudgetMs: budgetMs } = settings
    return repeatRead(what, round, { budgetMs, outageAfterMs, logger, signal, clock })
  }

/** How often a height is asked for before it counts as pruned. */
const PRUNED_ATTEMPTS = { usual: 3, nearTip: 8, mixed: 12 }
/** No node prunes so soon, unless it keeps almost nothing. */
const NEAR_TIP = 20

/** Asks again for a height that endpoints say they pruned: another node behind the same URL may have it. */
export const untilBelieved =
  ({ endpoints, signal, clock }: Pool, { kept, height }: Need) =>
  <T>(round: () => Promise<T>): Promise<T> => {
    const asked = endpoints.filter(({ known }) => !known.isOfAnotherChain)
    const isMixed = () => asked.some(({ windows }) => windows[kept].isMixed())
    const isNearTip = () =>
      asked.some(({ known }) => known.tip > 0 && height > known.tip - NEAR_TIP)
    const limitOf = () => {
      if (isMixed()) return PRUNED_ATTEMPTS.mixed
      return isNearTip() ? PRUNED_ATTEMPTS.nearTip : PRUNED_ATTEMPTS.usual
    }
    let attempts = 0
    const isBelieved = () => {
      attempts++
      return attempts >= limitOf() || asked.every(({ windows }) => windows[kept].isProved(height))
    }
    return retry(round, {
      ...policies.prunedHeight,
      signal,
      clock,
      when: ({ code }) => code === 'HEIGHT_UNAVAILABLE' && !isBelieved(),
    })
  }
