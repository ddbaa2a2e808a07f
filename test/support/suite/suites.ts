// Lists every check and suite with its requirements, deadline, CPU use and exclusive resources.
import type { Requirement } from './requirements.ts'

const MINUTE_MS = 60_000

/** Two suites with a common resource never run at the same time. */
export type Contended = 'chain' | 'kafka' | 'browser' | 'checkers' | 'timing'

type Job = {
  name: string
  deadlineMs: number
  needs?: readonly Requirement[]
  /** A part of `npm test`: it needs Node alone. */
  core?: boolean
  /** The average number of busy cores, measured on a machine with two. */
  cores: number
  competesFor?: readonly Contended[]
}

export type Check = Job & {
  command: readonly string[]
  /** Suites need what it makes: it starts before them, and the other checks start after them. */
  prepares?: boolean
}

export type Suite = Job & {
  /** Projects of vitest.config.ts. */
  projects: readonly string[]
  /** Runs on both versions of Node. */
  onBothNodes?: boolean
  /** `npm test` has only its tests that are the cheapest proof of a guarantee. */
  split?: boolean
}

const CHECK_DEADLINE_MS = 5 * MINUTE_MS

export const CHECKS: readonly Check[] = [
  // The first build takes minutes and all cores.
  {
    name: 'chain nodes',
    command: ['tsx', 'test/devnet/build-node.ts'],
    prepares: true,
    needs: ['go', 'cc'],
    deadlineMs: 50 * MINUTE_MS,
    cores: 2,
    competesFor: ['chain'],
  },
  // The suites that start the product on the demo chain copy this.
  {
    name: 'demo data',
    core: true,
    command: ['tsx', 'test/support/process/demo-folder.ts'],
    prepares: true,
    deadlineMs: CHECK_DEADLINE_MS,
    cores: 1,
  },
  {
    name: 'typecheck',
    core: true,
    command: ['tsc', '--noEmit'],
    deadlineMs: CHECK_DEADLINE_MS,
    cores: 1.1,
  },
  {
    name: 'lint',
    core: true,
    command: ['biome', 'check', '.'],
    deadlineMs: CHECK_DEADLINE_MS,
    cores: 1,
  },
  { name: 'dead code', core: true, command: ['knip'], deadlineMs: CHECK_DEADLINE_MS, cores: 1 },
]

/** The longest and those that wait for each other come first: the last one should be short. */
export const SUITES: readonly Suite[] = [
  // Includes every native package: the embedded log, the embedded ClickHouse and its loader.
  {
    name: 'integration',
    core: true,
    split: true,
    projects: ['integration'],
    deadlineMs: 40 * MINUTE_MS,
    onBothNodes: true,
    cores: 1,
  },
  {
    name: 'hostile',
    core: true,
    split: true,
    projects: ['hostile'],
    deadlineMs: 40 * MINUTE_MS,
    cores: 0.7,
    competesFor: ['timing'],
  },
  {
    name: 'end to end',
    core: true,
    split: true,
    projects: ['e2e'],
    deadlineMs: 40 * MINUTE_MS,
    cores: 0.7,
    competesFor: ['timing'],
  },
  {
    name: 'simulation',
    core: true,
    split: true,
    projects: ['sim'],
    deadlineMs: 45 * MINUTE_MS,
    cores: 0.6,
  },
  // One process: each start loads the sources for seconds.
  {
    name: 'unit',
    core: true,
    projects: ['architecture', 'unit', 'property'],
    deadlineMs: 15 * MINUTE_MS,
    onBothNodes: true,
    cores: 1,
  },
  {
    name: 'devnet',
    projects: ['devnet'],
    needs: ['go', 'cc'],
    // Most of the time it waits for new blocks of the chain.
    deadlineMs: 50 * MINUTE_MS,
    cores: 0.5,
    competesFor: ['chain'],
  },
  {
    name: 'kafka',
    projects: ['kafka'],
    needs: ['kafka'],
    deadlineMs: 40 * MINUTE_MS,
    cores: 0.6,
    competesFor: ['kafka'],
  },
  {
    name: 'documented',
    projects: ['documented'],
    deadlineMs: 40 * MINUTE_MS,
    cores: 1.3,
    competesFor: ['timing'],
  },
  {
    name: 'browser',
    projects: ['browser'],
    needs: ['browser'],
    deadlineMs: 40 * MINUTE_MS,
    cores: 1.3,
    competesFor: ['browser'],
  },
  {
    name: 'rules',
    projects: ['rules'],
    needs: ['go', 'cc'],
    deadlineMs: 30 * MINUTE_MS,
    cores: 1,
    competesFor: ['chain'],
  },
  {
    name: 'provider',
    projects: ['provider'],
    needs: ['go', 'cc'],
    deadlineMs: 30 * MINUTE_MS,
    cores: 0.5,
    competesFor: ['chain'],
  },
  {
    name: 'conformance',
    projects: ['conformance'],
    needs: ['python'],
    deadlineMs: 40 * MINUTE_MS,
    cores: 0.8,
    competesFor: ['checkers'],
  },
  {
    name: 'clients',
    projects: ['clients'],
    deadlineMs: 40 * MINUTE_MS,
    cores: 1.2,
  },
  {
    name: 'notebook',
    projects: ['notebook'],
    needs: ['python'],
    deadlineMs: 40 * MINUTE_MS,
    cores: 0.8,
  },
  {
    name: 'monitoring',
    projects: ['monitoring'],
    needs: ['prometheus'],
    deadlineMs: 20 * MINUTE_MS,
    cores: 0.7,
  },
]
