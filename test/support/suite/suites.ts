// Every check and suite of `npm test`: what each needs, how long it may take, how busy it keeps the machine, what it cannot share.
import type { Requirement } from './requirements.ts'

const MINUTE_MS = 60_000

/** Two suites that compete for the same thing never run at the same time. */
export type Contended = 'chain' | 'kafka' | 'browser' | 'timing'

type Load = {
  /** The cores that it keeps busy on average, measured on a machine with two. */
  cores: number
  competesFor?: readonly Contended[]
}

export type Check = Load & { name: string; command: readonly string[]; deadlineMs: number }

export type Suite = Load & {
  name: string
  /** Projects of vitest.config.ts. */
  projects: readonly string[]
  /** Where its tests are, below test/; the suite is left out without a word while there are none. */
  folders: readonly string[]
  deadlineMs: number
  needs?: readonly Requirement[]
  /** Runs on both versions of Node. */
  onBothNodes?: boolean
}

const CHECK_DEADLINE_MS = 5 * MINUTE_MS

export const CHECKS: readonly Check[] = [
  { name: 'typecheck', command: ['tsc', '--noEmit'], deadlineMs: CHECK_DEADLINE_MS, cores: 1 },
  { name: 'lint', command: ['biome', 'check', '.'], deadlineMs: CHECK_DEADLINE_MS, cores: 1 },
  { name: 'dead code', command: ['knip'], deadlineMs: CHECK_DEADLINE_MS, cores: 1 },
]

/** The longest first: what is begun last should be short. */
export const SUITES: readonly Suite[] = [
  {
    ...{ name: 'devnet', projects: ['devnet'], folders: ['devnet'], needs: ['go', 'cc'] },
    ...{ deadlineMs: 50 * MINUTE_MS, cores: 1, competesFor: ['chain'] },
  },
  {
    ...{ name: 'integration', projects: ['integration'], folders: ['integration'] },
    ...{ deadlineMs: 15 * MINUTE_MS, onBothNodes: true, cores: 1 },
  },
  {
    ...{ name: 'simulation', projects: ['sim'], folders: ['sim'] },
    ...{ deadlineMs: 15 * MINUTE_MS, cores: 2 },
  },
  {
    ...{ name: 'browser', projects: ['browser'], folders: ['browser'], needs: ['browser'] },
    ...{ deadlineMs: 20 * MINUTE_MS, cores: 1, competesFor: ['browser'] },
  },
  {
    ...{ name: 'kafka', projects: ['kafka'], folders: ['kafka'], needs: ['kafka'] },
    ...{ deadlineMs: 20 * MINUTE_MS, cores: 1, competesFor: ['kafka'] },
  },
  {
    ...{ name: 'hostile', projects: ['hostile'], folders: ['hostile'] },
    ...{ deadlineMs: 15 * MINUTE_MS, cores: 1 },
  },
  {
    ...{ name: 'end to end', projects: ['e2e'], folders: ['e2e'] },
    ...{ deadlineMs: 15 * MINUTE_MS, cores: 1 },
  },
  {
    ...{ name: 'conformance', projects: ['conformance'], folders: ['conformance'] },
    ...{ deadlineMs: 20 * MINUTE_MS, needs: ['python', 'browser'] },
    ...{ cores: 1, competesFor: ['browser'] },
  },
  {
    ...{ name: 'property', projects: ['property'], folders: ['property'] },
    ...{ deadlineMs: 8 * MINUTE_MS, onBothNodes: true, cores: 2 },
  },
  {
    ...{ name: 'unit', projects: ['architecture', 'unit'], folders: ['unit'] },
    ...{ deadlineMs: 3 * MINUTE_MS, onBothNodes: true, cores: 2 },
  },
]
