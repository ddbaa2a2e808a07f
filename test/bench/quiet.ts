// Measures heights per second of ingest, from the node to the embedded log: blocks of the size of the Cosmos Hub without
// governance, and the recorded chain, which has governance in every block.
// The baseline sends exactly the same requests over node:http, with the same concurrency, and discards the responses. The node
// answers from memory on the same machine.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BenchContext, computeSpread, type Measurement, measurePairs } from './measure.ts'
import { type BenchChild, startBenchChild } from './processes.ts'
import { startRecordingProxy } from './recording-proxy.ts'
import type { Scope } from './scope.ts'

const HEIGHTS = 10_000
/** The recording is short, so one figure takes several passes. */
const HEIGHTS_PER_FIGURE = 1_200

type Started = { url: string; firstHeight: number; lastHeight: number }
type Backfilled = { tookMs: number; height: number }
type Fetched = { tookMs: number; bytes: number; requests: number }

/** `start` takes the parameters of the child. */
type Chain = {
  name: string
  target: number
  node: string
  note: string
  start(heights: number): object
}

const CHAINS: readonly Chain[] = [
  {
    name: 'quiet-blocks',
    target: 0.6,
    node: 'quiet-node',
    note: 'blocks of the size of the Cosmos Hub, without governance',
    start: (heights) => ({ heights }),
  },
  {
    name: 'quiet-recording',
    target: 0.35,
    node: 'replay',
    note: 'the recorded chain: governance in every block',
    start: () => ({ liveBlocks: 0, blockMs: 1_000 }),
  },
]

const recordRequests = async (
  ingest: BenchChild,
  { scope, url, directory }: { scope: Scope; url: string; directory: string },
) => {
  const proxy = await startRecordingProxy(url)
  scope.onEnd(proxy.close)
  await ingest.ask<Backfilled>('backfill', { url: proxy.url, directory, passes: 1 })
  await proxy.close()
  return { bodies: proxy.bodies, concurrency: proxy.mostAtOnce() }
}

const countCalls = (bodies: readonly string[]): string => {
  const calls = bodies.flatMap((body) => JSON.parse(body) as { method: string }[])
  const counts = new Map<string, number>()
  for (const { method } of calls) counts.set(method, (counts.get(method) ?? 0) + 1)
  return [...counts].map(([method, count]) => `${method} ${count}`).join(', ')
}

const run = async (chain: Chain, { scope, pairs, heights: given, log }: BenchContext) => {
  const directory = scope.directory(chain.name)
  const node = startBenchChild(scope, chain.node)
  const ingest = startBenchChild(scope, 'ingest')
  const client = startBenchChild(scope, 'bare-client')
  const started = await node.ask<Started>('start', chain.start(given ?? HEIGHTS))
  const { url, firstHeight, lastHeight } = started
  const { bodies, concurrency } = await recordRequests(ingest, { scope, url, directory })
  const ofPass = lastHeight - firstHeight + 1
  const passes = chain.node === 'replay' ? Math.ceil(HEIGHTS_PER_FIGURE / ofPass) : 1
  const heights = ofPass * passes
  const bodiesFile = join(directory, 'bodies.json')
  writeFileSync(bodiesFile, JSON.stringify(Array.from({ length: passes }, () => bodies).flat()))
  const fetchAll = () => client.ask<Fetched>('post', { url, bodiesFile, concurrency })
  const rate = ({ tookMs }: { tookMs: number }): number => (heights * 1_000) / tookMs
  const cpuMs: number[] = []
  const backfill = async () => {
    const beforeMs = await ingest.ask<number>('cpuMs')
    const done = await ingest.ask<Backfilled>('backfill', { url, directory, passes })
    if (done.height !== lastHeight) throw new Error(`ended at height ${done.height}`)
    cpuMs.push((((await ingest.ask<number>('cpuMs')) - beforeMs) / heights) * 1_000)
    return rate(done)
  }
  // Warms up.
  const { bytes, requests } = await fetchAll()
  const figures = await measurePairs(
    { subject: backfill, baseline: async () => rate(await fetchAll()) },
    { pairs, log },
  )
  const cpu = computeSpread(cpuMs)
  return [
    {
      name: chain.name,
      unit: 'heights/s',
      labels: {
        subject: 'ingest into the embedded log',
        baseline: 'bare node:http, same requests',
      },
      figures,
      target: chain.target,
      notes: [
        `${chain.note}; ${heights} heights a figure, up to ${concurrency} requests at once`,
        `CPU of ingest: ${Math.round(cpu.median)} ms per 1,000 heights (${Math.round(cpu.min)}–${Math.round(cpu.max)})`,
        `${(requests / heights).toFixed(2)} requests and ${Math.round(bytes / heights).toLocaleString('en-US')} bytes a height; by method: ${countCalls(bodies)}`,
      ],
    },
  ]
}

export const quiet: readonly Measurement[] = CHAINS.map((chain) => ({
  name: chain.name,
  question: `what does ingest cost in addition to fetching? ${chain.note}`,
  run: (context) => run(chain, context),
}))
