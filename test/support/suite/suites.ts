// Lists every check and suite with its requirements, deadline, CPU use and exclusive resources.
import type { Requirement } from './requirements.ts'

/** Two suites with a common resource never run at the same time. */
export type Contended = 'chain' | 'timing'

type Job = {
  name: string
  /** After which it is ended; by default `DEADLINE_MINUTES`. */
  minutes?: number
  needs?: readonly Requirement[]
  /** A part of `npm test`: it needs Node alone. */
  core?: boolean
  /** The average number of busy cores, measured on a machine with two. */
  cores: number
  competesFor?: readonly Contended[]
}

export const DEADLINE_MINUTES = 40

export type Check = Job & {
  command: readonly string[]
  /** Suites need what it makes: it starts before them, and the other checks start after them. */
  prepares?: boolean
}

export type Suite = Job & {
  /** Projects of vitest.config.ts; by default the one with its name. */
  projects?: readonly string[]
  /** The projects that also run on the other version of Node. */
  otherNode?: readonly string[]
  /** `npm test` has only its tests that are the cheapest proof of a guarantee. */
  split?: boolean
}

export const projectsOf = ({ name, projects = [name] }: Suite): readonly string[] => projects

/** What a node of a chain takes. */
const CHAIN = { needs: ['go', 'cc'], competesFor: ['chain'] } as const

export const CHECKS: readonly Check[] = [
  // The first build takes minutes and all cores.
  {
    ...CHAIN,
    name: 'chain nodes',
    command: ['tsx', 'test/devnet/build-node.ts'],
    prepares: true,
    minutes: 50,
    cores: 2,
  },
  // The suites that start the product on the demo chain copy this.
  {
    name: 'demo data',
    core: true,
    command: ['tsx', 'test/support/process/demo-folder.ts'],
    prepares: true,
    cores: 1,
  },
  { name: 'typecheck', core: true, command: ['tsc', '--noEmit'], cores: 1.1 },
  { name: 'lint', core: true, command: ['biome', 'check', '.'], cores: 1 },
  { name: 'dead code', core: true, command: ['knip'], cores: 1 },
]

/** The longest and those that wait for each other come first: the last one should be short. */
export const SUITES: readonly Suite[] = [
  // Includes every native package: the embedded log, the embedded ClickHouse and its loader.
  { name: 'integration', core: true, split: true, otherNode: ['integration'], cores: 1 },
  { name: 'hostile', core: true, split: true, cores: 0.7, competesFor: ['timing'] },
  {
    name: 'end to end',
    core: true,
    split: true,
    projects: ['e2e'],
    cores: 0.7,
    competesFor: ['timing'],
  },
  { name: 'simulation', core: true, split: true, projects: ['sim'], minutes: 45, cores: 0.6 },
  // One process: each start loads the sources for seconds.
  {
    name: 'unit',
    core: true,
    projects: ['architecture', 'unit', 'property'],
    otherNode: ['unit'],
    cores: 1,
  },
  // Most of the time it waits for new blocks of its chains.
  { ...CHAIN, name: 'devnet', minutes: 50, cores: 1 },
  { name: 'kafka', needs: ['kafka'], cores: 0.6 },
  { name: 'documented', cores: 1.3, competesFor: ['timing'] },
  { name: 'browser', needs: ['browser'], cores: 1.3 },
  { name: 'conformance', needs: ['python'], cores: 0.8 },
  { name: 'clients', cores: 1.2 },
  { name: 'notebook', needs: ['python'], cores: 0.8 },
  { name: 'monitoring', needs: ['prometheus'], cores: 0.7 },
]
