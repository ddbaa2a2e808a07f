// Starts the API on a store that somebody else opened; stops it, and does not close the store.
import { readFileSync } from 'node:fs'
import type { Store } from '../infra/clickhouse/client.ts'
import { type Clock, systemClock } from '../infra/runtime/clock.ts'
import { listen } from '../infra/runtime/http-service.ts'
import type { Logger } from '../infra/runtime/logger.ts'
import type { Metrics } from '../infra/runtime/metrics.ts'
import type { Readiness } from '../infra/runtime/operators-server.ts'
import { settled } from '../infra/runtime/promises.ts'
import { createApiMetrics } from './api-metrics.ts'
import { type AppOptions, createApp } from './app.ts'
import type { ApiConfig } from './config.ts'
import { createByteCache } from './pages/byte-cache.ts'
import { createPageCache } from './pages/page-cache.ts'
import { createPages } from './pages/pages.ts'
import { createReadingSlots } from './pages/reading-slots.ts'
import { withReservedConnections } from './pages/store-turns.ts'
import type { VerifyBearer } from './plugins/bearer.ts'
import { createServedState, type ServedState } from './served/served-state.ts'
import { createStreamMetrics } from './stream/metrics.ts'

export type ApiOptions = {
  config: ApiConfig
  store: Store
  logger: Logger
  metrics: Metrics
  clock?: Clock
  verifyBearer?: VerifyBearer
  neighbour?: AppOptions['neighbour']
}

export type Api = {
  url: string
  ready(): Readiness
  /** Looks at once whether there is something newer to serve. */
  wake(): void
  close(): Promise<void>
}

const SLOW_READ_SECONDS = 1

/** Beside the sources, and copied beside the compiled files. */
const readVersion = (): string => {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

const readinessOf = (state: ServedState): Readiness => {
  const reasons: string[] = []
  if (!state.current()) reasons.push('no height is projected yet, or the store does not answer')
  else if (!state.freshness().isHeard) reasons.push('the store or the projections are silent')
  return { ready: reasons.length === 0, reasons }
}

export const createApi = (options: ApiOptions) => {
  const { config, store, logger: log, clock = systemClock } = options
  const state = createServedState({ store, log, pollMs: config.pollMs, clock })
  const memory = createByteCache(config.pageCacheBytes)
  const metrics = createApiMetrics(options.metrics, { memory, state })
  const pages = createPages({
    ...{ state, cache: createPageCache(memory), clock },
    slots: createReadingSlots(config.maxReads, config.maxReadsPerAddress),
    onRead: (read) => {
      metrics.read(read)
      if (read.seconds > SLOW_READ_SECONDS) log.warn(read, 'read a page slowly')
    },
  })
  const app = createApp({
    ...{ state, pages, memory, metrics, log, clock },
    store: withReservedConnections(store),
    baseUrl: config.baseUrl ?? '',
    unit: config.displayUnit,
    trustProxy: config.trustProxy,
    stream: { ...config, metrics: createStreamMetrics(options.metrics) },
    rateLimitPerMinute: config.rateLimitPerMinute,
    mcpAllowedOrigins: config.mcpAllowedOrigins,
    rateLimitWithTokenPerMinute: config.rateLimitWithTokenPerMinute,
    version: readVersion(),
    ...(options.verifyBearer ? { verifyBearer: options.verifyBearer } : {}),
    ...(options.neighbour ? { neighbour: options.neighbour } : {}),
  })
  return { app, state }
}

export const startApi = async (options: ApiOptions): Promise<Api> => {
  const { config, logger: log } = options
  const { app, state } = createApi(options)
  const controller = new AbortController()
  // The first look may fail: the API then says so until the store answers.
  await settled(state.refresh())
  const following = state.follow(controller.signal)
  const { url, close } = await listen(app, config)
  log.info({ url }, 'started api')
  return {
    url,
    ready: () => readinessOf(state),
    wake: state.wake,
    close: async () => {
      controller.abort()
      await close()
      await following
    },
  }
}
