// Measures a machine that follows the recorded chain live: what it costs at one block a second, and how soon it serves a height.
import { setTimeout as pause } from 'node:timers/promises'
import { type MachineProcess, readProcesses } from '../support/process/machine-processes.ts'
import { getJson, until } from '../support/process/rollcall-process.ts'
import {
  compareFigures,
  computePercentile,
  computeSpread,
  type Finding,
  type Measurement,
} from './measure.ts'
import { startBenchChild, startClickHouse, startMachine } from './processes.ts'
import { type Scope, scoped } from './scope.ts'

const CATCH_UP_MS = 120_000

type Release = { height: number; atMs: number }
type Live = { liveBlocks: number; blockMs: number }

/** A machine that has the chain up to `tip`; its node makes a block every `blockMs` from the release on. */
const startFollower = async (scope: Scope, live: Live) => {
  const replay = startBenchChild(scope, 'replay')
  const { url, tip } = await replay.ask<{ url: string; tip: number }>('start', live)
  const machine = startMachine(scope, { CHAIN_RPC_URLS: url, START_HEIGHT: 'earliest' })
  const apiUrl = await machine.untilServing(CATCH_UP_MS)
  await until(`height ${tip}`, CATCH_UP_MS, async () => {
    const { chain } = await getJson<{ chain: { height: number } | null }>(apiUrl, '/api/health')
    return chain && chain.height >= tip ? true : undefined
  })
  return {
    machine,
    apiUrl,
    tip,
    release: () => replay.ask('release'),
    releases: () => replay.ask<Release[]>('releases'),
  }
}

const WATCHED_SECONDS = 60
/** Lets caches fill and the first merges end before the measurement. */
const SETTLE_SECONDS = 20
const REST: Live = { liveBlocks: 150, blockMs: 1_000 }

type Load = { processes: readonly MachineProcess[]; percents: readonly number[] }

const sumValues = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0)

/** Share of one core that each process used, in percent. */
const watchLoad = async (pids: () => readonly number[]): Promise<Load> => {
  await pause(SETTLE_SECONDS * 1_000)
  const before = readProcesses(pids())
  const startedMs = performance.now()
  await pause(WATCHED_SECONDS * 1_000)
  const seconds = (performance.now() - startedMs) / 1_000
  const processes = readProcesses(before.map(({ pid }) => pid))
  const percents = processes.map(
    ({ cpuSeconds }, at) => ((cpuSeconds - before[at]!.cpuSeconds) / seconds) * 100,
  )
  return { processes, percents }
}

/** The engine runs in its own process. */
const measureEngineLoad = (): Promise<Load> =>
  scoped(async (scope) => {
    const pid = await startClickHouse(scope)
    return watchLoad(() => [pid])
  })

export const atRest: Measurement = {
  name: 'at-rest',
  question: 'how much CPU and memory does a machine use while it serves no request?',
  run: async ({ scope, log }) => {
    const engine = await measureEngineLoad()
    const { machine, tip, release } = await startFollower(scope, REST)
    await release()
    log(`one block every ${REST.blockMs} ms from height ${tip + 1} on`)
    const { processes, percents } = await watchLoad(machine.processes)
    const mebibytes = sumValues(processes.map((each) => each.mebibytes))
    return [
      {
        name: 'at-rest',
        unit: '% of a core',
        labels: { subject: 'a machine at one block a second', baseline: 'an engine alone' },
        figures: compareFigures([sumValues(percents)], [sumValues(engine.percents)]),
        bound: 'most',
        target: null,
        notes: [
          ...processes.map(
            ({ role, mebibytes: own }, at) =>
              `${role} ${percents[at]!.toFixed(1)} % of a core, ${own} MiB`,
          ),
          `${mebibytes} MiB in all, with shared pages counted once`,
          'at most 600 MiB and 5 % of a core are the target',
        ],
      },
    ]
  },
}

const FAST: Live = { liveBlocks: 300, blockMs: 150 }
const POLL_MS = 3
const SERVED_MS = FAST.liveBlocks * FAST.blockMs * 2 + 10_000

/** The heights with the time at which the list of proposals was first as of each. */
const watchList = async (url: string, { from, to }: { from: number; to: number }) => {
  const served: Release[] = []
  const giveUpMs = performance.now() + SERVED_MS
  for (let tip = from; tip < to; await pause(POLL_MS)) {
    if (performance.now() > giveUpMs) throw new Error(`height ${to} is not served, but ${tip}`)
    const { asOf } = await getJson<{ asOf: { height: number } }>(url, '/api/proposals')
    const atMs = performance.timeOrigin + performance.now()
    while (tip < asOf.height) served.push({ height: ++tip, atMs })
  }
  return served
}

/** A ratio of 4: a quarter of the block interval. */
const describeLatencies = (released: readonly Release[], served: readonly Release[]): Finding => {
  const releasedAtMs = new Map(released.map(({ height, atMs }) => [height, atMs]))
  const latencies = served.map(({ height, atMs }) => {
    const releasedMs = releasedAtMs.get(height)
    if (releasedMs === undefined) throw new Error(`height ${height} is served without a release`)
    return atMs - releasedMs
  })
  const baseline = computeSpread(
    released.slice(1).map(({ atMs }, index) => atMs - released[index]!.atMs),
  )
  const subject = computeSpread(latencies)
  const [p50 = 0, p99 = 0] = [0.5, 0.99].map((share) => computePercentile(latencies, share))
  return {
    name: 'block-to-api',
    unit: 'ms',
    labels: { subject: 'height released to height served', baseline: 'the interval of the blocks' },
    figures: {
      subject,
      baseline,
      ratio: {
        median: baseline.median / p50,
        min: baseline.median / subject.max,
        max: baseline.median / subject.min,
      },
    },
    target: null,
    notes: [
      `p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms after its block (${served.length} heights)`,
      `polled every ${POLL_MS} ms; the ratio is the interval divided by the latency`,
    ],
  }
}

export const blockToApi: Measurement = {
  name: 'block-to-api',
  question: 'how long after its release is a height served?',
  run: async ({ scope, log }) => {
    const { apiUrl, tip, release, releases } = await startFollower(scope, FAST)
    await release()
    log(`${FAST.liveBlocks} blocks, one every ${FAST.blockMs} ms, from height ${tip + 1} on`)
    const served = await watchList(apiUrl, { from: tip, to: tip + FAST.liveBlocks })
    return [describeLatencies(await releases(), served)]
  },
}
