// Measures the first start of the demo, as a visitor has it: CPU time of all processes until the past is served, and the time to
// the first page. The baseline is an engine alone, from its start to its first answer.
import { setTimeout as pause } from 'node:timers/promises'
import { type MachineProcess, readProcesses } from '../support/process/machine-processes.ts'
import { getJson, runRollcall, USERS_DEMO, until } from '../support/process/rollcall-process.ts'
import { startClickHouse } from './clickhouse.ts'
import { computeSpread } from './measure.ts'
import type { BenchContext, Measurement } from './measurement.ts'
import { scoped } from './scope.ts'

const START_MS = 180_000
const POLL_MS = 100
/** The demo chain makes blocks meanwhile, so that the past is served before the last one is. */
const BLOCK_MS = 1_000

type Health = { chain: { height: number } | null; catchUp: object | null }
type Started = { firstPageMs: number; servedMs: number; processes: readonly MachineProcess[] }

const sumOf = (processes: readonly MachineProcess[]): number =>
  processes.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0)

const startDemo = async ({ scope }: BenchContext): Promise<Started> => {
  const folder = scope.directory('first-start')
  const env = { ...USERS_DEMO, DEMO_BLOCK_MS: `${BLOCK_MS}`, DATA_DIR: folder }
  const startedMs = performance.now()
  const machine = runRollcall({ folder, env })
  scope.onEnd(async () => {
    machine.signal('SIGTERM')
    await machine.ended
  })
  const url = await machine.untilServing(START_MS)
  await until('a page with a block', START_MS, async () => {
    const response = await fetch(url, { headers: { accept: 'text/html' } })
    return (await response.text()).includes('As of block') ? true : undefined
  })
  const firstPageMs = performance.now() - startedMs
  for (;;) {
    const { chain, catchUp } = await getJson<Health>(url, '/api/health')
    if (chain && catchUp === null) break
    await pause(POLL_MS)
  }
  const servedMs = performance.now() - startedMs
  return { firstPageMs, servedMs, processes: readProcesses(machine.processes()) }
}

const engineAlone = async ({ scope }: BenchContext): Promise<number> => {
  const { pid } = await startClickHouse(scope)
  return sumOf(readProcesses([pid]))
}

const run = async (context: BenchContext) => {
  const started: Started[] = []
  const engines: number[] = []
  for (let pair = 1; pair <= context.pairs; pair++) {
    started.push(await scoped((scope) => startDemo({ ...context, scope })))
    engines.push(await scoped((scope) => engineAlone({ ...context, scope })))
    const { firstPageMs, servedMs, processes } = started.at(-1)!
    const parts = processes.map(({ role, cpuSeconds }) => `${role} ${cpuSeconds.toFixed(1)} s`)
    context.log(
      `${sumOf(processes).toFixed(1)} CPU-seconds (${parts.join(', ')}); first page after ${(firstPageMs / 1_000).toFixed(1)} s, the past after ${(servedMs / 1_000).toFixed(1)} s`,
    )
  }
  const costs = started.map(({ processes }) => sumOf(processes))
  const seconds = (of: (each: Started) => number): string =>
    (computeSpread(started.map(of)).median / 1_000).toFixed(1)
  const ofRole = (role: string): string => {
    const each = started.map(({ processes }) =>
      sumOf(processes.filter((process) => process.role === role)),
    )
    return `${role} ${computeSpread(each).median.toFixed(1)} s`
  }
  const roles = [...new Set(started.flatMap(({ processes }) => processes.map(({ role }) => role)))]
  return [
    {
      name: 'first-start',
      unit: 'CPU-seconds',
      subject: { label: 'the demo until its past is served', figure: computeSpread(costs) },
      baseline: { label: 'an engine until its first answer', figure: computeSpread(engines) },
      ratio: computeSpread(costs.map((cost, at) => cost / engines[at]!)),
      bound: 'most' as const,
      target: null,
      notes: [
        roles.map(ofRole).join(', '),
        `first page after ${seconds(({ firstPageMs }) => firstPageMs)} s, the past after ${seconds(({ servedMs }) => servedMs)} s`,
        'at most 10 CPU-seconds, and 6 s to the first page on two quiet cores, are the target',
      ],
    },
  ]
}

export const firstStart: Measurement = {
  name: 'first-start',
  question:
    'what does a visitor wait for, and what does the machine spend, at the first start of the demo?',
  run,
}
