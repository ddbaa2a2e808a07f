// Measures the first start of the demo, as a visitor has it: CPU time of all processes until the past is served, and the time to
// the first page. The baseline is an engine alone, from its start to its first answer.
import { type MachineProcess, readProcesses } from '../support/process/machine-processes.ts'
import { getJson, USERS_DEMO, until } from '../support/process/rollcall-process.ts'
import { compareFigures, computeSpread, type Measurement } from './measure.ts'
import { startClickHouse, startMachine } from './processes.ts'
import { scoped } from './scope.ts'

const START_MS = 180_000
/** The demo chain makes blocks meanwhile, so that the past is served before the last one is. */
const BLOCK_MS = 1_000

type Health = { chain: { height: number } | null; catchUp: object | null }
type Started = { firstPageMs: number; servedMs: number; processes: readonly MachineProcess[] }

const sumOf = (processes: readonly MachineProcess[]): number =>
  processes.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0)

const startDemo = (): Promise<Started> =>
  scoped(async (scope) => {
    const startedMs = performance.now()
    const machine = startMachine(scope, { ...USERS_DEMO, DEMO_BLOCK_MS: `${BLOCK_MS}` })
    const url = await machine.untilServing(START_MS)
    await until('a page with a block', START_MS, async () => {
      const response = await fetch(url, { headers: { accept: 'text/html' } })
      return (await response.text()).includes('As of block') ? true : undefined
    })
    const firstPageMs = performance.now() - startedMs
    await until('the past', START_MS, async () => {
      const { chain, catchUp } = await getJson<Health>(url, '/api/health')
      return chain && catchUp === null ? true : undefined
    })
    const servedMs = performance.now() - startedMs
    return { firstPageMs, servedMs, processes: readProcesses(machine.processes()) }
  })

const measureEngine = (): Promise<number> =>
  scoped(async (scope) => {
    const pid = await startClickHouse(scope)
    return sumOf(readProcesses([pid]))
  })

const describe = ({ firstPageMs, servedMs, processes }: Started): string => {
  const parts = processes.map(({ role, cpuSeconds }) => `${role} ${cpuSeconds.toFixed(1)} s`)
  const [first, served] = [firstPageMs, servedMs].map((ms) => (ms / 1_000).toFixed(1))
  return `${sumOf(processes).toFixed(1)} CPU-seconds (${parts.join(', ')}); first page after ${first} s, the past after ${served} s`
}

export const firstStart: Measurement = {
  name: 'first-start',
  question:
    'what does a visitor wait for, and what does the machine spend, at the first start of the demo?',
  run: async ({ pairs, log }) => {
    const started: Started[] = []
    const engines: number[] = []
    for (let pair = 1; pair <= pairs; pair++) {
      started.push(await startDemo())
      engines.push(await measureEngine())
      log(describe(started.at(-1)!))
    }
    const costs = started.map(({ processes }) => sumOf(processes))
    const firstPage = computeSpread(started.map(({ firstPageMs }) => firstPageMs / 1_000))
    return [
      {
        name: 'first-start',
        unit: 'CPU-seconds',
        labels: {
          subject: 'the demo until its past is served',
          baseline: 'an engine until its first answer',
        },
        figures: compareFigures(costs, engines),
        bound: 'most',
        target: null,
        notes: [
          ...started.map(describe),
          `first page after ${firstPage.median.toFixed(1)} s`,
          'at most 10 CPU-seconds, and 6 s to the first page on two quiet cores, are the target',
        ],
      },
    ]
  },
}
