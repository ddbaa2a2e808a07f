// Starts and stops the API. The caller opens and closes the store.
import { tmpdir } from 'node:os'
import type { Store } from '../infra/base/clickhouse/client.ts'
import type { Readiness } from '../infra/base/http/operators.ts'
import { listen } from '../infra/base/http/server.ts'
import { waitUntilSettled } from '../infra/base/runtime/abort.ts'
import { type Clock, systemClock } from '../infra/base/runtime/clock.ts'
import type { Logger } from '../infra/base/runtime/logger.ts'
import type { Metrics } from '../infra/base/runtime/metrics.ts'
import { readVersion } from '../infra/base/runtime/product-files.ts'
import { type AppOptions, createApp } from './app.ts'
import type { ApiConfig } from './config.ts'
import { createQuotas, type VerifyBearer } from './http/admission.ts'
import { createApiMetrics } from './http/metrics.ts'
import { createByteCache, createQueryCache } from './read/cache.ts'
import { createDataFiles, createDiskFiles } from './read/data-files.ts'
import { describeLag } from './read/freshness.ts'
import { createReader } from './read/reader.ts'
import { createReadingSlots } from './read/reading-slots.ts'
import { createSnapshotSource, type SnapshotSource } from './read/snapshots.ts'
import {
  createStoreLiveness,
  MAX_READ_CONNECTIONS,
  withReservedConnections,
  wrapReads,
} from './read/store.ts'
import { createStreamMetrics } from './stream/hub.ts'

export type ApiOptions = {
  config: ApiConfig
  store: Store
  logger: Logger
  metrics: Metrics
  clock?: Clock
  verifyBearer?: VerifyBearer
  authPlugin?: AppOptions['authPlugin']
}

export type Api = {
  url: string
  ready(): Readiness
  /** Reads the checkpoint immediately. */
  wake(): void
  close(): Promise<void>
}

const SLOW_READ_SECONDS = 1

/** An API that is behind serves correct data as of its height, so it is ready with a reason. */
const checkReadiness = (snapshots: SnapshotSource): Readiness => {
  const snapshot = snapshots.current()
  const unready = (reason: string): Readiness => ({ ready: false, reasons: [reason] })
  if (!snapshot)
    return unready(
      'no height is indexed: the service has just started, the chain has no block yet, or the store does not respond',
    )
  const freshness = snapshots.freshness()
  if (!freshness.isReachable) return unready('the store or the projections do not respond')
  return { ready: true, reasons: describeLag(snapshot, freshness) }
}

export const createApi = (options: ApiOptions) => {
  const { config, logger, clock = systemClock } = options
  const baseUrl = config.baseUrl ?? ''
  const liveness = createStoreLiveness(options.store, { logger, clock })
  const snapshots = createSnapshotSource({
    store: liveness.store,
    logger,
    pollMs: config.pollMs,
    clock,
  })
  const quotas = createQuotas(config, clock)
  const memory = createByteCache(config.pageCacheBytes)
  const metrics = createApiMetrics(options.metrics, { memory, snapshots })
  const store = wrapReads(withReservedConnections(liveness.store), liveness.whileAlive)
  const reader = createReader({
    snapshots,
    whileAlive: liveness.whileAlive,
    baseUrl,
    clock,
    cache: createQueryCache(store, memory, config.displayUnit),
    slots: createReadingSlots({
      max: config.maxReads,
      maxPerClient: config.maxReadsPerAddress,
      connections: MAX_READ_CONNECTIONS,
    }),
    turns: quotas.turns,
    onRead: (read, client) => {
      quotas.chargeRead(client, read.seconds * 1_000)
      metrics.read(read)
      if (read.seconds > SLOW_READ_SECONDS) logger.warn(read, 'a read of the store was slow')
    },
  })
  const files = createDataFiles({
    store,
    snapshots,
    whileAlive: liveness.whileAlive,
    disk: createDiskFiles(config.filesDir ?? tmpdir(), config.filesBytes),
    partRows: config.partRows,
    clock,
  })
  const app = createApp({
    ...config,
    files,
    snapshots,
    reader,
    quotas,
    memory,
    metrics,
    logger,
    clock,
    store,
    baseUrl,
    unit: config.displayUnit,
    streamMetrics: createStreamMetrics(options.metrics),
    version: readVersion(),
    ...(options.verifyBearer ? { verifyBearer: options.verifyBearer } : {}),
    ...(options.authPlugin ? { authPlugin: options.authPlugin } : {}),
  })
  app.addHook('onClose', files.close)
  return { app, snapshots, liveness }
}

export const startApi = async (options: ApiOptions): Promise<Api> => {
  const { config, logger } = options
  const { app, snapshots, liveness } = createApi(options)
  const controller = new AbortController()
  const checking = liveness.follow(controller.signal)
  // The first read may fail. The API then responds with 503 until the store is available.
  await waitUntilSettled(snapshots.refresh())
  const following = snapshots.follow(controller.signal)
  const { url, close } = await listen(app, { ...config, clock: options.clock })
  logger.info({ url }, 'started api')
  return {
    url,
    ready: () => checkReadiness(snapshots),
    wake: snapshots.wake,
    close: async () => {
      controller.abort()
      await close()
      await Promise.all([following, checking])
    },
  }
}
