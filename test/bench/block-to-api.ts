// Measures the time from the release of a height by the node until the api serves the facts of that height, with one process per
// service. The baseline is the block interval of the chain: a ratio of 4 means a quarter of the interval.
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../support/process/rollcall-process.ts'
import { createWalkingAgent } from './agent.ts'
import { type BenchContext, computePercentile, computeSpread, type Measurement } from './measure.ts'
import { startBenchChild, startClickHouse } from './processes.ts'

const LIVE_BLOCKS = 300
const BLOCK_MS = 150
const POLL_MS = 3
const CATCH_UP_MS = 120_000
const FACT_DEADLINE_MS = 10_000

type List = {
  items: { proposalId: string; updatedAt: { height: number } }[]
  asOf: { height: number }
}
type Release = { height: number; atMs: number }
type Fact = { height: number; proposalId: string }

const nowMs = (): number => performance.timeOrigin + performance.now()

/** Polls the list until it has the height, and returns when each proposal changed. */
const watchList = async (url: string, lastHeight: number): Promise<Map<string, Release[]>> => {
  const agent = createWalkingAgent()
  const seen = new Map<string, Release[]>()
  const giveUpMs = performance.now() + LIVE_BLOCKS * BLOCK_MS * 2 + FACT_DEADLINE_MS
  for (let tip = 0; tip < lastHeight && performance.now() < giveUpMs; ) {
    const { items, asOf } = await agent.json<List>(`${url}/api/proposals`)
    const atMs = nowMs()
    tip = asOf.height
    for (const { proposalId, updatedAt } of items) {
      const known = seen.get(proposalId) ?? []
      seen.set(proposalId, known)
      const { height } = updatedAt
      if (height > (known.at(-1)?.height ?? 0)) known.push({ height, atMs })
    }
    await pause(POLL_MS)
  }
  agent.close()
  return seen
}

const startAll = async ({ scope }: BenchContext) => {
  const { access } = await startClickHouse(scope)
  const replay = startBenchChild(scope, 'replay')
  const live = { liveBlocks: LIVE_BLOCKS, blockMs: BLOCK_MS }
  const { url, tip } = await replay.ask<{ tip: number; url: string }>('start', live)
  const writer = startBenchChild(scope, 'writer')
  await writer.ask('start', { access, url, logPath: join(scope.directory('latency'), 'log') })
  const api = startBenchChild(scope, 'api')
  const apiUrl = (await api.ask<{ url: string }>('start', { access })).url
  return { replay, writer, apiUrl, firstTip: tip }
}

const run = async (context: BenchContext) => {
  const { replay, writer, apiUrl, firstTip } = await startAll(context)
  await until(`height ${firstTip}`, CATCH_UP_MS, async () =>
    (await writer.ask<number>('projectedHeight')) >= firstTip ? true : undefined,
  )
  await replay.ask('release')
  context.log(`${LIVE_BLOCKS} blocks, one every ${BLOCK_MS} ms, from height ${firstTip + 1} on`)
  const seen = await watchList(apiUrl, firstTip + LIVE_BLOCKS)
  const releases = await replay.ask<Release[]>('releases')
  const facts = await writer.ask<Fact[]>('factsAfter', { height: firstTip })
  const releasedAtMs = new Map(releases.map(({ height, atMs }) => [height, atMs]))
  const latencies = facts.flatMap(({ height, proposalId }) => {
    const fromMs = releasedAtMs.get(height)
    const toMs = seen.get(proposalId)?.find((sighting) => sighting.height >= height)?.atMs
    return fromMs === undefined || toMs === undefined ? [] : [toMs - fromMs]
  })
  const interval = computeSpread(
    releases.slice(1).map(({ atMs }, index) => atMs - releases[index]!.atMs),
  )
  const subject = computeSpread(latencies)
  const [p50 = 0, p99 = 0] = [0.5, 0.99].map((share) => computePercentile(latencies, share))
  return [
    {
      name: 'block-to-api',
      unit: 'ms',
      labels: {
        subject: 'height released to fact served',
        baseline: 'the chain’s own block interval',
      },
      figures: {
        subject,
        baseline: interval,
        ratio: {
          median: interval.median / p50,
          min: interval.median / subject.max,
          max: interval.median / subject.min,
        },
      },
      target: null,
      notes: [
        `facts in the api: p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms after their block (${latencies.length} of ${facts.length} facts)`,
        `polled every ${POLL_MS} ms; the ratio is the interval divided by the latency`,
      ],
    },
  ]
}

export const blockToApi: Measurement = {
  name: 'block-to-api',
  question: 'how long after its block is a vote served?',
  run,
}
