// Measures CPU time and memory of all processes of a machine that follows one block per second and serves no request.
// The baseline is a ClickHouse engine that runs no query.
import { setTimeout as pause } from 'node:timers/promises'
import { type MachineProcess, readProcesses } from '../support/process/machine-processes.ts'
import { getJson, until } from '../support/process/rollcall-process.ts'
import { type BenchContext, compareFigures, type Measurement } from './measure.ts'
import { startBenchChild, startClickHouse, startMachine } from './processes.ts'
import { scoped } from './scope.ts'

const BLOCK_MS = 1_000
const WATCHED_SECONDS = 60
/** Lets caches fill and the first merges end before the measurement. */
const SETTLE_SECONDS = 20
const LIVE_BLOCKS = 150
const CATCH_UP_MS = 120_000
const MEBIBYTES_TARGET = 600

type Load = { processes: readonly MachineProcess[]; percents: readonly number[] }

const sumValues = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0)

/** Share of one core that each process used, in percent. */
const watch = async (pids: () => readonly number[]): Promise<Load> => {
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

const measureMachineLoad = async ({ scope, log }: BenchContext): Promise<Load> => {
  const replay = startBenchChild(scope, 'replay')
  const live = { liveBlocks: LIVE_BLOCKS, blockMs: BLOCK_MS }
  const { url, tip } = await replay.ask<{ url: string; tip: number }>('start', live)
  const machine = startMachine(scope, { CHAIN_RPC_URLS: url, START_HEIGHT: 'earliest' })
  const apiUrl = await machine.untilServing(CATCH_UP_MS)
  await until(`height ${tip}`, CATCH_UP_MS, async () => {
    const { chain } = await getJson<{ chain: { height: number } | null }>(apiUrl, '/api/health')
    return chain && chain.height >= tip ? true : undefined
  })
  await replay.ask('release')
  log(`one block every ${BLOCK_MS} ms from height ${tip + 1} on`)
  return watch(machine.processes)
}

/** The engine runs in its own process. */
const measureEngineLoad = (): Promise<Load> =>
  scoped(async (scope) => {
    const { pid } = await startClickHouse(scope)
    return watch(() => [pid])
  })

export const atRest: Measurement = {
  name: 'at-rest',
  question: 'how much CPU and memory does a machine use while it serves no request?',
  run: async (context) => {
    const engine = await measureEngineLoad()
    const { processes, percents } = await measureMachineLoad(context)
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
          `at most ${MEBIBYTES_TARGET} MiB and 5 % of a core are the target`,
        ],
      },
    ]
  },
}
