// Measures the effect of a rebuild on readers: agents read pages while new tables are filled, compared and switched.
// The notes have the responses that are no success.
import { setTimeout as pause } from 'node:timers/promises'
import type { Store } from '../../infra/base/clickhouse/client.ts'
import { rebuild, type Step } from '../../projections/rebuild/rebuild.ts'
import { createWalkingAgent, type WalkingAgent } from './agent.ts'
import {
  type BenchContext,
  compareFigures,
  computePercentile,
  type Measurement,
} from './measure.ts'
import { startBenchChild, startClickHouse } from './processes.ts'
import { createHistory } from './projection.ts'

const READERS = 8
const QUIET_MS = 15_000
/** Readers continue after the switch, in the new tables. */
const AFTER_MS = 5_000

type Page = { page: { nextCursor: string | null } }
type Readings = { tookMs: readonly number[]; faults: readonly string[] }

/** Agents that read one list after another by cursor until they are stopped. */
const startReaders = (url: string, proposals: number): (() => Promise<Readings>) => {
  const tookMs: number[] = []
  const faults: string[] = []
  let isOver = false
  const walk = async (agent: WalkingAgent, path: string): Promise<void> => {
    let next: string | null = null
    do {
      const startedMs = performance.now()
      const address: string = `${url}${path}${next === null ? '' : `?cursor=${next}`}`
      const { page }: Page = await agent.json<Page>(address)
      tookMs.push(performance.now() - startedMs)
      next = page.nextCursor
    } while (next !== null)
  }
  const read = async (first: number): Promise<void> => {
    const agent = createWalkingAgent()
    for (let turn = 0; !isOver; turn++) {
      const id = 1 + ((first + turn * 7) % proposals)
      const path = turn % 20 === 19 ? '/api/proposals' : `/api/proposals/${id}/votes`
      try {
        await walk(agent, path)
      } catch (error) {
        faults.push(String(error))
        // An unreachable store must not cause a thousand faults.
        await pause(50)
      }
    }
    agent.close()
  }
  const running = Promise.all(
    Array.from({ length: READERS }, (_, at) => read(Math.floor((at * proposals) / READERS))),
  )
  return async () => {
    isOver = true
    await running
    return { tookMs, faults }
  }
}

const describe = (name: string, { tookMs, faults }: Readings): string => {
  const [p50, p99, worst] = [0.5, 0.99, 1].map((share) =>
    computePercentile(tookMs, share).toFixed(1),
  )
  return `${name}: p50 ${p50} ms, p99 ${p99} ms, worst ${worst} ms over ${tookMs.length} pages, ${faults.length} errors`
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

const run = async ({ scope, log, events: wanted }: BenchContext) => {
  const chain = createHistory(wanted)
  const { access, store } = await startClickHouse(scope)
  const projections = startBenchChild(scope, 'projection')
  const directory = scope.directory('rebuild')
  const parameters = { access, directory, chain }
  const { events } = await projections.ask<{ events: number }>('prepare', parameters)
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

  const busyReaders = startReaders(url, chain.proposals)
  const tookMs = await rebuildOnce(store, log)
  await pause(AFTER_MS)
  const busy = await busyReaders()
  for (const fault of [...quiet.faults, ...busy.faults].slice(0, 5)) log(`error: ${fault}`)
  const [built, compared] = ['built', 'compared'].map((kind) => (tookMs.get(kind) ?? 0) / 1000)
  const [p99Busy, p99Quiet] = [busy, quiet].map((each) => [computePercentile(each.tookMs, 0.99)])
  return [
    {
      name: 'rebuild',
      unit: 'ms',
      labels: { subject: 'p99 of the pages while rebuilding', baseline: 'p99 while quiet' },
      figures: compareFigures(p99Busy ?? [], p99Quiet ?? []),
      target: null,
      bound: 'most' as const,
      notes: [
        describe('quiet', quiet),
        describe('rebuilding', busy),
        `${events} events rebuilt in ${built?.toFixed(1)} s and compared until ${compared?.toFixed(1)} s, with ${READERS} readers that never pause`,
      ],
    },
  ]
}

export const rebuilding: Measurement = {
  name: 'rebuild',
  question: 'how does a rebuild affect readers?',
  run,
}
