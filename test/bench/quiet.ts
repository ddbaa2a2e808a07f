// Measures heights per second of ingest, from the node to the embedded log: blocks of the size of the Cosmos Hub without
// governance, the same while a vote is open, and the recorded chain, which has governance in every block.
// One baseline sends exactly the same requests over node:http, with the same concurrency, and discards the responses.
// The other asks `block` and `block_results` of every height. The node answers from memory on the same machine.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BenchChild, startBenchChild } from './child.ts'
import { computeSpread, type Finding, measurePairs } from './measure.ts'
import type { BenchContext, Measurement } from './measurement.ts'
import { startRecordingProxy } from './recording-proxy.ts'
import type { Scope } from './scope.ts'

const HEIGHTS = 10_000
/** The recording is short, so one figure takes several passes. */
const HEIGHTS_PER_FIGURE = 1_200
/** Of the client that asks for every height. */
const NAIVE_CONCURRENCY = 8

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
    start: (heights) => ({ heights, hasVote: false }),
  },
  {
    name: 'quiet-vote',
    target: 0.6,
    node: 'quiet-node',
    note: 'the same while a vote is open, and with events of staking in every third block',
    start: (heights) => ({ heights, hasVote: true }),
  },
  {
    name: 'quiet-recording',
    target: 0.35,
    node: 'replay',
    note: 'the recorded chain: governance in every block',
    start: () => ({ liveBlocks: 0, blockMs: 1_000 }),
  },
]

type Recorded = { bodies: readonly string[]; concurrency: number }

const recordRequests = async (
  ingest: BenchChild,
  { scope, url, directory }: { scope: Scope; url: string; directory: string },
): Promise<Recorded> => {
  const proxy = await startRecordingProxy(url)
  scope.onEnd(proxy.close)
  await ingest.ask<Backfilled>('backfill', { url: proxy.url, directory, passes: 1 })
  await proxy.close()
  return { bodies: proxy.bodies, concurrency: proxy.mostAtOnce() }
}

const askEveryHeight = ({ firstHeight, lastHeight }: Started): string[] =>
  Array.from({ length: lastHeight - firstHeight + 1 }, (_, at) => `${firstHeight + at}`).flatMap(
    (height) =>
      ['block', 'block_results'].map((method) =>
        JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { height } }),
      ),
  )

const countCalls = (bodies: readonly string[]): string => {
  const calls = bodies.flatMap((body) => JSON.parse(body) as { method: string }[])
  const counts = new Map<string, number>()
  for (const { method } of calls) counts.set(method, (counts.get(method) ?? 0) + 1)
  return [...counts].map(([method, count]) => `${method} ${count}`).join(', ')
}

type Sides = Record<'bare' | 'naive', () => Promise<Fetched>>

/** One of the baselines, which posts the same bodies in every figure. */
const createClients = (
  bare: BenchChild,
  { directory, url, passes }: { directory: string; url: string; passes: number },
  { bodies, concurrency, naive }: Recorded & { naive: readonly string[] },
): Sides => {
  const client = (name: string, own: readonly string[], atOnce: number) => {
    const bodiesFile = join(directory, `${name}.json`)
    writeFileSync(bodiesFile, JSON.stringify(Array.from({ length: passes }, () => own).flat()))
    return () => bare.ask<Fetched>('post', { url, bodiesFile, concurrency: atOnce })
  }
  return {
    bare: client('bare', bodies, concurrency),
    naive: client('naive', naive, Math.max(concurrency, NAIVE_CONCURRENCY)),
  }
}

const perHeight = ({ bytes, requests }: Fetched, heights: number): string =>
  `${(requests / heights).toFixed(2)} requests and ${Math.round(bytes / heights).toLocaleString('en-US')} bytes a height`

const run = async (chain: Chain, { scope, pairs, events, log }: BenchContext) => {
  const directory = scope.directory(chain.name)
  const node = startBenchChild(scope, chain.node)
  const ingest = startBenchChild(scope, 'ingest')
  const clients = startBenchChild(scope, 'bare-client')
  const started = await node.ask<Started>('start', chain.start(events ?? HEIGHTS))
  const { url, firstHeight, lastHeight } = started
  const recorded = await recordRequests(ingest, { scope, url, directory })
  const ofPass = lastHeight - firstHeight + 1
  const passes = chain.node === 'replay' ? Math.ceil(HEIGHTS_PER_FIGURE / ofPass) : 1
  const heights = ofPass * passes
  const naive = askEveryHeight(started)
  const { bare, naive: every } = createClients(
    clients,
    { directory, url, passes },
    { ...recorded, naive },
  )
  const rate = ({ tookMs }: { tookMs: number }): number => (heights * 1_000) / tookMs
  const cpuMs: number[] = []
  const backfill = async () => {
    const beforeMs = await ingest.ask<number>('cpuMs')
    const done = await ingest.ask<Backfilled>('backfill', { url, directory, passes })
    if (done.height !== lastHeight) throw new Error(`ended at height ${done.height}`)
    cpuMs.push((((await ingest.ask<number>('cpuMs')) - beforeMs) / heights) * 1_000)
    return rate(done)
  }
  const sent = await bare()
  const asked = await every()
  cpuMs.length = 0
  const same = await measurePairs(
    { subject: backfill, baseline: async () => rate(await bare()) },
    { pairs, log },
  )
  const everyRates: number[] = []
  for (let pair = 0; pair < pairs; pair++) everyRates.push(rate(await every()))
  const everyHeight = computeSpread(everyRates)
  const cpu = computeSpread(cpuMs)
  const subject = { label: 'ingest into the embedded log', figure: same.subject }
  const shared = { unit: 'heights/s', subject } as const
  const compared = (of: (spread: typeof same.subject) => number): number =>
    of(same.subject) / everyHeight.median
  const findings: Finding[] = [
    {
      ...shared,
      name: chain.name,
      ratio: same.ratio,
      target: chain.target,
      baseline: { label: 'bare node:http, same requests', figure: same.baseline },
      notes: [
        `${chain.note}; ${heights} heights a figure, up to ${recorded.concurrency} requests at once`,
        `CPU of ingest: ${Math.round(cpu.median)} ms per 1,000 heights (${Math.round(cpu.min)}–${Math.round(cpu.max)})`,
        `${perHeight(sent, heights)}; by method: ${countCalls(recorded.bodies)}`,
      ],
    },
    {
      ...shared,
      name: `${chain.name}-every-height`,
      ratio: {
        median: compared(({ median }) => median),
        min: compared(({ min }) => min),
        max: compared(({ max }) => max),
      },
      target: null,
      baseline: {
        label: 'bare node:http, block and block_results of every height',
        figure: everyHeight,
      },
      notes: [perHeight(asked, heights)],
    },
  ]
  return findings
}

export const quiet: readonly Measurement[] = CHAINS.map((chain) => ({
  name: chain.name,
  question: `what does ingest cost in addition to fetching? ${chain.note}`,
  run: (context) => run(chain, context),
}))
