// Every check and suite of `npm test`: what each needs, how long it may take, how busy it keeps the machine, what it cannot share.
import type { Requirement } from './requirements.ts'

const MINUTE_MS = 60_000

/** Two suites that compete for the same thing never run at the same time. */
export type Contended = 'chain' | 'kafka' | 'browser' | 'timing'

type Job = {
  name: string
  deadlineMs: number
  needs?: readonly Requirement[]
  /** The cores that it keeps busy on average, measured on a machine with two. */
  cores: number
  competesFor?: readonly Contended[]
}

export type Check = Job & { command: readonly string[] }

export type Suite = Job & {
  /** Projects of vitest.config.ts. */
  projects: readonly string[]
  /** Runs on both versions of Node. */
  onBothNodes?: boolean
}

const CHECK_DEADLINE_MS = 5 * MINUTE_MS

export const CHECKS: readonly Check[] = [
  // Takes minutes and all cores where it was never built.
  {
    name: 'chain node',
    command: ['tsx', 'test/devnet/build-node.ts'],
    needs: ['go', 'cc'],
    deadlineMs: 30 * MINUTE_MS,
    cores: 2,
    competesFor: ['chain'],
  },
  { name: 'typecheck', command: ['tsc', '--noEmit'], deadlineMs: CHECK_DEADLINE_MS, cores: 1 },
  { name: 'lint', command: ['biome', 'check', '.'], deadlineMs: CHECK_DEADLINE_MS, cores: 1 },
  { name: 'dead code', command: ['knip'], deadlineMs: CHECK_DEADLINE_MS, cores: 1 },
]

/** What most failures show in comes first, then what takes longest: what begins last should be short. */
export const SUITES: readonly Suite[] = [
  {
    name: 'devnet',
    projects: ['devnet'],
    needs: ['go', 'cc'],
    // It waits for the chain's own pace most of the time.
    deadlineMs: 50 * MINUTE_MS,
    cores: 0.6,
    competesFor: ['chain'],
  },
  {
    name: 'unit',
    projects: ['architecture', 'unit'],
    deadlineMs: 3 * MINUTE_MS,
    onBothNodes: true,
    cores: 1.4,
  },
  {
    name: 'property',
    projects: ['property'],
    deadlineMs: 8 * MINUTE_MS,
    onBothNodes: true,
    cores: 1.4,
  },
  // Busier than this; what it runs beside is light, and its own deadlines are long.
  { name: 'simulation', projects: ['sim'], deadlineMs: 25 * MINUTE_MS, cores: 1.4 },
  // With every native package: the embedded log, the embedded ClickHouse, and what loads it.
  {
    name: 'integration',
    projects: ['integration'],
    deadlineMs: 25 * MINUTE_MS,
    onBothNodes: true,
    cores: 0.7,
  },
  {
    name: 'kafka',
    projects: ['kafka'],
    needs: ['kafka'],
    deadlineMs: 20 * MINUTE_MS,
    cores: 0.7,
    competesFor: ['kafka'],
  },
  // Three engines and a coordination service; it waits for replicas to return about half of the time.
  {
    name: 'cluster',
    projects: ['cluster'],
    needs: ['replicas'],
    deadlineMs: 20 * MINUTE_MS,
    cores: 1.4,
    competesFor: ['timing'],
  },
  {
    name: 'monitoring',
    projects: ['monitoring'],
    needs: ['prometheus'],
    deadlineMs: 10 * MINUTE_MS,
    cores: 0.7,
  },
  {
    name: 'hostile',
    projects: ['hostile'],
    deadlineMs: 20 * MINUTE_MS,
    cores: 0.6,
    competesFor: ['timing'],
  },
  {
    name: 'browser',
    projects: ['browser'],
    needs: ['browser'],
    deadlineMs: 20 * MINUTE_MS,
    cores: 1.1,
    competesFor: ['browser'],
  },
  {
    name: 'end to end',
    projects: ['e2e'],
    deadlineMs: 20 * MINUTE_MS,
    cores: 0.9,
    competesFor: ['timing'],
  },
  {
    name: 'campaign',
    projects: ['campaign'],
    needs: ['go', 'cc'],
    deadlineMs: 50 * MINUTE_MS,
    cores: 1,
    competesFor: ['chain'],
  },
  {
    name: 'notebook',
    projects: ['notebook'],
    needs: ['python'],
    deadlineMs: 20 * MINUTE_MS,
    cores: 0.8,
  },
  // Lighthouse measures how fast pages are: on two cores nothing else runs.
  {
    name: 'conformance',
    projects: ['conformance'],
    needs: ['python', 'browser'],
    deadlineMs: 20 * MINUTE_MS,
    cores: 2,
    competesFor: ['browser', 'timing'],
  },
]
