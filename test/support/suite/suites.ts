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

/** What takes minutes where it was never done, and all cores. */
export const PREPARATIONS: readonly Check[] = [
  {
    ...{ name: 'chain node', command: ['tsx', 'test/devnet/build-node.ts'], needs: ['go', 'cc'] },
    ...{ deadlineMs: 30 * MINUTE_MS, cores: 2, competesFor: ['chain'] },
  },
]

const CHECK_DEADLINE_MS = 5 * MINUTE_MS

export const CHECKS: readonly Check[] = [
  { name: 'typecheck', command: ['tsc', '--noEmit'], deadlineMs: CHECK_DEADLINE_MS, cores: 1 },
  { name: 'lint', command: ['biome', 'check', '.'], deadlineMs: CHECK_DEADLINE_MS, cores: 1 },
  { name: 'dead code', command: ['knip'], deadlineMs: CHECK_DEADLINE_MS, cores: 1 },
]

/** The longest first: what is begun last should be short. */
export const SUITES: readonly Suite[] = [
  {
    ...{ name: 'devnet', projects: ['devnet'], needs: ['go', 'cc'] },
    ...{ deadlineMs: 50 * MINUTE_MS, cores: 1, competesFor: ['chain'] },
  },
  {
    ...{ name: 'campaign', projects: ['campaign'], needs: ['go', 'cc'] },
    ...{ deadlineMs: 50 * MINUTE_MS, cores: 1, competesFor: ['chain'] },
  },
  {
    ...{ name: 'integration', projects: ['integration'] },
    ...{ deadlineMs: 15 * MINUTE_MS, onBothNodes: true, cores: 1 },
  },
  {
    ...{ name: 'simulation', projects: ['sim'] },
    ...{ deadlineMs: 15 * MINUTE_MS, cores: 2 },
  },
  {
    ...{ name: 'browser', projects: ['browser'], needs: ['browser'] },
    ...{ deadlineMs: 20 * MINUTE_MS, cores: 1, competesFor: ['browser'] },
  },
  {
    ...{ name: 'kafka', projects: ['kafka'], needs: ['kafka'] },
    ...{ deadlineMs: 20 * MINUTE_MS, cores: 1, competesFor: ['kafka'] },
  },
  {
    ...{ name: 'hostile', projects: ['hostile'] },
    ...{ deadlineMs: 15 * MINUTE_MS, cores: 1 },
  },
  {
    ...{ name: 'end to end', projects: ['e2e'] },
    ...{ deadlineMs: 15 * MINUTE_MS, cores: 1 },
  },
  {
    ...{ name: 'conformance', projects: ['conformance'] },
    ...{ deadlineMs: 20 * MINUTE_MS, needs: ['python', 'browser'] },
    ...{ cores: 1, competesFor: ['browser'] },
  },
  {
    ...{ name: 'property', projects: ['property'] },
    ...{ deadlineMs: 8 * MINUTE_MS, onBothNodes: true, cores: 2 },
  },
  {
    ...{ name: 'unit', projects: ['architecture', 'unit'] },
    ...{ deadlineMs: 3 * MINUTE_MS, onBothNodes: true, cores: 2 },
  },
]
