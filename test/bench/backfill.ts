// Measures heights per second of ingest, from the node to the embedded log: the cost of decoding, deriving and appending.
// The baseline fetches exactly the same requests, with the same concurrency, over keep-alive connections.
// It runs with Node's own `fetch`, to which the target applies, and with node:http, which costs a fifth of it.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BenchChild, startBenchChild } from './child.ts'
import { measurePairs } from './measure.ts'
import type { Measurement } from './measurement.ts'
import { startRecordingProxy } from './recording-proxy.ts'
import type { Scope } from './scope.ts'

/** The recording is short, so one figure takes several passes. */
const HEIGHTS_PER_FIGURE = 1_200

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
  question: 'what does ingest cost in addition to fetching?',
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
    const subject = async () => {
      const { tookMs } = await ingest.ask<Backfilled>('backfill', { url, directory, passes })
      return rate(tookMs)
    }
    const fetchedWith = (order: 'withFetch' | 'withHttp') => async () => {
      const { tookMs } = await bare.ask<Fetched>(order, { url, bodiesFile, concurrency })
      return rate(tookMs)
    }
    const against = async (order: 'withFetch' | 'withHttp') => {
      const sides = { subject, baseline: fetchedWith(order) }
      await sides.baseline()
      return await measurePairs(sides, { pairs, log })
    }
    await subject()
    const fetched = await against('withFetch')
    const lean = await against('withHttp')
    const unit = 'heights/s'
    const label = 'ingest into the embedded log'
    return [
      {
        name: 'backfill',
        unit,
        ratio: fetched.ratio,
        target: 0.9,
        subject: { label, figure: fetched.subject },
        baseline: { label: 'bare fetch() of the same requests', figure: fetched.baseline },
        notes: [
          `the recorded chain, ${height} heights, ${bodies.length} requests, ${passes} times a figure; up to ${concurrency} requests at once`,
        ],
      },
      {
        name: 'backfill-lean',
        unit,
        ratio: lean.ratio,
        target: null,
        subject: { label, figure: lean.subject },
        baseline: { label: 'bare node:http, same requests', figure: lean.baseline },
        notes: [
          'the cheapest client; the node on the same machine answers from memory, so only CPU is compared',
        ],
      },
    ]
  },
}
