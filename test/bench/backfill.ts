// Heights a second of ingest, from the node to the embedded log, against a bare fetch of exactly the requests that it
// made, as many at once over kept-alive connections: what decoding, deriving, ordering and appending cost.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BenchChild, startBenchChild } from './child.ts'
import { measurePairs } from './measure.ts'
import type { Measurement } from './measurement.ts'
import { startRecordingProxy } from './recording-proxy.ts'
import type { Scope } from './scope.ts'

/** A recording is short: it is taken in as often as it needs to make a figure. */
const HEIGHTS_PER_FIGURE = 2_500

type Backfilled = { tookMs: number; height: number }
type Fetched = { tookMs: number; bytes: number; requests: number }

const recordRequests = async (
  ingest: BenchChild,
  { scope, url, directory }: { scope: Scope; url: string; directory: string },
): Promise<{ bodies: string[]; concurrency: number; height: number }> => {
  const proxy = await startRecordingProxy(url)
  scope.onEnd(proxy.close)
  const parameters = { url: proxy.url, directory, passes: 1 }
  const { height } = await ingest.ask<Backfilled>('backfill', parameters)
  await proxy.close()
  return { bodies: proxy.bodies, concurrency: proxy.mostAtOnce(), height }
}

export const backfill: Measurement = {
  name: 'backfill',
  question: 'what does ingest cost on top of fetching?',
  run: async ({ scope, pairs, log }) => {
    const directory = scope.directory('backfill')
    const replay = startBenchChild(scope, 'replay')
    const ingest = startBenchChild(scope, 'ingest')
    const bare = startBenchChild(scope, 'bare-fetch')
    const { url } = await replay.ask<{ url: string }>('start', { liveBlocks: 0, blockMs: 1_000 })
    const { bodies, concurrency, height } = await recordRequests(ingest, { scope, url, directory })
    const passes = Math.max(1, Math.ceil(HEIGHTS_PER_FIGURE / height))
    const bodiesFile = join(directory, 'bodies.json')
    const repeated = Array.from({ length: passes }, () => bodies).flat()
    writeFileSync(bodiesFile, JSON.stringify(repeated))
    log(`${height} heights make ${bodies.length} requests; ${passes} passes a figure`)

    const rate = (tookMs: number): number => (height * passes * 1000) / tookMs
    const sides = {
      subject: async () => {
        const { tookMs } = await ingest.ask<Backfilled>('backfill', { url, directory, passes })
        return rate(tookMs)
      },
      baseline: async () => {
        const parameters = { url, bodiesFile, concurrency }
        const { tookMs } = await bare.ask<Fetched>('fetchAll', parameters)
        return rate(tookMs)
      },
    }
    await sides.subject()
    await sides.baseline()
    const measured = await measurePairs(sides, { pairs, log })
    return {
      name: 'backfill',
      unit: 'heights/s',
      subject: { label: 'ingest into the embedded log', figure: measured.subject },
      baseline: { label: 'bare fetch of the same requests', figure: measured.baseline },
      ratio: measured.ratio,
      target: 0.9,
      notes: [
        `the recorded chain, ${height} heights, ${bodies.length} requests, ${passes} times a figure; up to ${concurrency} requests at once`,
      ],
    }
  },
}
