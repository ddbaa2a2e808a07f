// Runs ingest in its own process: indexes a chain into an empty embedded log and reports the time.
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openEmbeddedLog } from '../../../infra/base/log/embedded-log.ts'
import { type Clock, systemClock } from '../../../infra/base/runtime/clock.ts'
import { createLogger } from '../../../infra/base/runtime/logger.ts'
import { createMetrics } from '../../../infra/base/runtime/metrics.ts'
import { readIngestConfig } from '../../../ingest/config.ts'
import { startIngest } from '../../../ingest/main.ts'
import { takeOrders } from './orders.ts'

type Parameters = { url: string; directory: string; passes: number }

const LIVE_MARKER_MS = 1
const TICK_MS = 1_000

/**
 * A quiet height at the tip waits up to a second for the next one. That is no part of a backfill, so here the tip is
 * always due. The interval of the publisher is unchanged, so heights before the tip are handled as in production.
 */
const clock: Clock = {
  now: systemClock.now,
  sleep: (ms, signal) => systemClock.sleep(ms === LIVE_MARKER_MS ? TICK_MS : ms, signal),
}

const backfillOnce = async ({ url }: Parameters, path: string): Promise<number> => {
  const log = await openEmbeddedLog({ path })
  const config = readIngestConfig({ CHAIN_RPC_URLS: url, START_HEIGHT: 'earliest' })
  const ingest = await startIngest({
    config: { ...config, verifyHeaders: false, liveMarkerSeconds: LIVE_MARKER_MS / 1000 },
    log,
    logger: createLogger({ service: 'bench', level: 'silent' }),
    metrics: createMetrics('ingest'),
    clock,
  })
  const isDone = () => {
    const { phase, height, tip } = ingest.progress()
    return phase === 'live' && height === tip
  }
  const watch = async () => {
    while (!isDone()) await systemClock.sleep(2)
  }
  await Promise.race([watch(), ingest.done])
  const { height } = ingest.progress()
  await ingest.close()
  await log.close()
  return height
}

const backfill = async (parameters: Parameters) => {
  const { directory, passes } = parameters
  let tookMs = 0
  let height = 0
  for (let pass = 0; pass < passes; pass++) {
    const folder = mkdtempSync(join(directory, 'pass-'))
    const startedMs = performance.now()
    height = await backfillOnce(parameters, join(folder, 'log'))
    tookMs += performance.now() - startedMs
    rmSync(folder, { recursive: true, force: true })
  }
  return { tookMs, height }
}

takeOrders({ backfill })
