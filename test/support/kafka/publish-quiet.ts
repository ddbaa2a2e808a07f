// Runs the publisher of ingest on a log with quiet heights, like a chain without votes.
import { setTimeout as pause } from 'node:timers/promises'
import type { EventLog } from '../../../infra/base/log/event-log.ts'
import { systemClock } from '../../../infra/base/runtime/clock.ts'
import { createMetrics } from '../../../infra/base/runtime/metrics.ts'
import { decodeMarker } from '../../../ingest/heights/log-tail.ts'
import { createIngestMetrics } from '../../../ingest/ingest-metrics.ts'
import { createPublisher } from '../../../ingest/publish/publish.ts'
import { readAll } from '../log/log-entries.ts'
import { silentLogger } from '../process/log-lines.ts'

const CHAIN_ID = 'quiet-1'
const GENESIS_MS = Date.UTC(2026, 0, 1)

const toBlockHash = (height: number): string => height.toString(16).padStart(64, '0').toUpperCase()

const heightAt = (height: number) => ({
  block: {
    chainId: CHAIN_ID,
    height,
    hash: toBlockHash(height),
    previousHash: toBlockHash(height - 1),
    time: new Date(GENESIS_MS + height * 1000).toISOString(),
  },
  tip: height,
  openSince: null,
  events: [],
})

/** Publishes one live height after the other until it is stopped; returns the last one. */
export const publishWhile = async (
  log: EventLog,
  shouldContinue: () => boolean,
  options: { pauseMs: number; onAppended: (height: number) => void },
): Promise<number> => {
  const stopping = new AbortController()
  const publisher = createPublisher({
    log,
    logger: silentLogger(),
    clock: systemClock,
    signal: stopping.signal,
    metrics: createIngestMetrics(createMetrics('ingest')),
    liveMarkerMs: 0,
    maxBatchHeights: 100,
    maxBatchBytes: 2 ** 20,
    appended: -1,
    onAppended: ({ height }) => options.onAppended(height),
  })
  let height = 0
  while (shouldContinue()) {
    height += 1
    await publisher.add(heightAt(height))
    await pause(options.pauseMs)
  }
  stopping.abort()
  return height
}

/** The heights with a marker in the log, in the order of the log. */
export const markedHeights = async (log: EventLog): Promise<number[]> =>
  (await readAll(log)).map((record) => decodeMarker(record).height)
