// Measures the effect of a rebuild on readers: agents read pages while new tables are filled, compared and switched.
// Every response must be a success, and no agent may miss or repeat a row.
import { setTimeout as pause } from 'node:timers/promises'
import type { Store } from '../../infra/base/clickhouse/client.ts'
import { rebuild, type Step } from '../../projections/rebuild/rebuild.ts'
import type { SyntheticChainOptions } from '../support/chain/synthetic-chain.ts'
import { createWalkingAgent } from './agent.ts'
import { startBenchChild } from './child.ts'
import { startClickHouse } from './clickhouse.ts'
import { computePercentile, computeSpread, type Spread } from './measure.ts'
import type { BenchContext, Measurement } from './measurement.ts'

/** One vote of 998 ballots makes about 1,129 events. */
const EVENTS_PER_PROPOSAL = 1_129
const DEFAULT_EVENTS = 200_000
const READERS = 8
const QUIET_MS = 15_000
/** Readers continue after the switch, in the new tables. */
const AFTER_MS = 5_000
const WINDOW_MS = 1_000

/** Votes of 998 ballots each, of 20,000 voters and 150 pools. */
export const createChainOptions = (events: number): SyntheticChainOptions => ({
  proposals: Math.max(10, Math.round(events / EVENTS_PER_PROPOSAL)),
  strideHeights: 125,
  votingHeights: 500,
  votesPerHeight: 2,
  pools: 150,
  operatorsVote: true,
  voters: 20_000,
  poolsReadEvery: 100,
})

type Reading = { atMs: number; tookMs: number }
type Page = {
  items: { rank?: number; proposalId?: string }[]
  page: { totalItems: number; nextCursor: string | null }
}

/** Reads one list after another by cursor until the run is aborted. */
const createReader = (url: string, first: number, proposals: number) => {
  const agent = createWalkingAgent()
  const readings: Reading[] = []
  const faults: string[] = []
  let walks = 0
  const read = async (address: string): Promise<Page> => {
    const atMs = performance.now()
    const { status, body } = await agent.get(address)
    readings.push({ atMs, tookMs: performance.now() - atMs })
    if (status !== 200) throw new Error(`${address} answered ${status}: ${body}`)
    return JSON.parse(body.toString('utf8')) as Page
  }
  const walk = async (path: string): Promise<void> => {
    const seen = new Set<unknown>()
    let next: string | null = null
    do {
      const { items, page }: Page = await read(`${path}${next === null ? '' : `?cursor=${next}`}`)
      for (const { rank, proposalId } of items) seen.add(rank ?? proposalId)
      next = page.nextCursor
      if (next === null && seen.size !== page.totalItems) {
        faults.push(`${path}: ${seen.size} of ${page.totalItems} rows`)
      }
    } while (next !== null)
    walks += 1
  }
  const step = async (turn: number): Promise<void> => {
    const id = 1 + ((first + turn * 7) % proposals)
    const path = turn % 20 === 19 ? '/api/proposals' : `/api/proposals/${id}/votes`
    try {
      await walk(url + path)
    } catch (error) {
      faults.push(error instanceof Error ? error.message : String(error))
      // An unreachable store must not cause a thousand faults.
      await pause(50)
    }
  }
  const run = async (signal: AbortSignal): Promise<void> => {
    for (let turn = 0; !signal.aborted; turn++) await step(turn)
    agent.close()
  }
  return { run, readings, faults, walks: () => walks }
}

const startReaders = (url: string, proposals: number) => {
  const controller = new AbortController()
  const readers = Array.from({ length: READERS }, (_, at) =>
    createReader(url, Math.floor((at * proposals) / READERS), proposals),
  )
  const running = Promise.all(readers.map(({ run }) => run(controller.signal)))
  return async () => {
    controller.abort()
    await running
    return {
      readings: readers.flatMap(({ readings }) => readings),
      faults: readers.flatMap(({ faults }) => faults),
      walks: readers.reduce((sum, { walks }) => sum + walks(), 0),
    }
  }
}

type Readings = Awaited<ReturnType<ReturnType<typeof startReaders>>>

const took = ({ readings }: Pick<Readings, 'readings'>): number[] =>
  readings.map(({ tookMs }) => tookMs)

/** The p99 of each second. */
const windows = ({ readings }: Readings): Spread => {
  const bySecond = new Map<number, number[]>()
  for (const { atMs, tookMs } of readings) {
    const second = Math.floor(atMs / WINDOW_MS)
    bySecond.set(second, [...(bySecond.get(second) ?? []), tookMs])
  }
  return computeSpread([...bySecond.values()].map((each) => computePercentile(each, 0.99)))
}

const describe = (name: string, read: Readings): string => {
  const values = took(read)
  const [p50, p99, worst] = [0.5, 0.99, 1].map((share) =>
    computePercentile(values, share).toFixed(1),
  )
  return `${name}: p50 ${p50} ms, p99 ${p99} ms, worst ${worst} ms over ${values.length} pages of ${read.walks} walks, ${read.faults.length} errors`
}

const rebuildOnce = async (store: Store, log: (line: string) => void) => {
  const startedMs = performance.now()
  const tookMs = new Map<string, number>()
  const onStep = ({ kind }: Step) => {
    tookMs.set(kind, performance.now() - startedMs)
    log(`${kind} after ${((performance.now() - startedMs) / 1000).toFixed(1)} s`)
  }
  const { signal } = new AbortController()
  const outcome = await rebuild({ store, signal, onStep })
  if (!outcome.isSwitched) throw new Error('the rebuilt tables differ from the served tables')
  return tookMs
}

const run = async ({ scope, log, events: wanted = DEFAULT_EVENTS }: BenchContext) => {
  const chain = createChainOptions(wanted)
  const { access, store } = await startClickHouse(scope)
  const projections = startBenchChild(scope, 'projection')
  const directory = scope.directory('rebuild')
  const { events } = await projections.ask<{ events: number }>('prepare', {
    access,
    directory,
    chain,
  })
  log(`${events} events are in the log; projecting them`)
  await projections.ask('follow')
  const api = startBenchChild(scope, 'api')
  const { url } = await api.ask<{ url: string }>('start', { access })

  // The first walks meet a cold process, so they are not measured.
  const warm = startReaders(url, chain.proposals)
  await pause(QUIET_MS / 3)
  await warm()
  const quietReaders = startReaders(url, chain.proposals)
  await pause(QUIET_MS)
  const quiet = await quietReaders()
  log(describe('quiet', quiet))

  const busyReaders = startReaders(url, chain.proposals)
  const tookMs = await rebuildOnce(store, log)
  await pause(AFTER_MS)
  const busy = await busyReaders()
  log(describe('rebuilding', busy))
  for (const fault of [...quiet.faults, ...busy.faults].slice(0, 5)) log(`error: ${fault}`)
  const ratio = computePercentile(took(busy), 0.99) / computePercentile(took(quiet), 0.99)
  const builtSeconds = (tookMs.get('built') ?? 0) / 1000
  return [
    {
      name: 'rebuild',
      unit: 'ms',
      subject: { label: 'p99 of each second while rebuilding', figure: windows(busy) },
      baseline: { label: 'p99 of each second while quiet', figure: windows(quiet) },
      ratio: { median: ratio, min: ratio, max: ratio },
      target: null,
      bound: 'most' as const,
      notes: [
        describe('quiet', quiet),
        describe('rebuilding', busy),
        `${events} events rebuilt in ${builtSeconds.toFixed(1)} s (${Math.round(events / builtSeconds)} events/s), compared in ${(((tookMs.get('compared') ?? 0) - (tookMs.get('built') ?? 0)) / 1000).toFixed(1)} s, with ${READERS} readers that never pause`,
        'the ratio compares the p99 over all pages',
      ],
    },
  ]
}

export const rebuilding: Measurement = {
  name: 'rebuild',
  question: 'how does a rebuild affect readers?',
  run,
}
