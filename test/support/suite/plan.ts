// Decides which checks and suites a run has, and on which version of Node.
import { findCoreTests } from './core-tests.ts'
import type { TestNode } from './node-versions.ts'
import { CHECKS, type Check, projectsOf, SUITES, type Suite } from './suites.ts'

/**
 * `core` is `npm test`: it needs Node alone, and proves each guarantee once. `all` is everything, on both versions of Node, and `rest`
 * is `all` without `core`. `other-node` has the suites that depend on the version of Node, on the other one.
 */
const RUNS = ['core', 'all', 'rest', 'other-node'] as const
export type Run = (typeof RUNS)[number]

/** The Node that started the run, and the other one if the run needs it. */
export type Nodes = { own: TestNode; other?: TestNode }
/** Tests with one of these tags, or with none of them. */
export type TagFilter = { tags: readonly string[]; isWanted: boolean }
/** Without `files` and `filter`, a suite has all tests of its projects. */
export type PlannedSuite = Suite & {
  projects: readonly string[]
  node: TestNode
  files?: readonly string[]
  filter?: TagFilter
}
export type Plan = { checks: Check[]; suites: PlannedSuite[] }

export const parseRun = (name: string): Run => {
  const run = RUNS.find((each) => each === name)
  if (run === undefined) throw new Error(`no run "${name}"; there are: ${RUNS.join(', ')}`)
  return run
}

/** Names of checks and suites. */
export const checkNames = (names: readonly string[]): void => {
  const known = [...CHECKS, ...SUITES].map(({ name }) => name)
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  throw new Error(`no suite "${unknown.join('", "')}"; there are: ${known.join(', ')}`)
}

/** `core` has the tests of a split suite that prove a guarantee, and `rest` the others. */
const planSuite = (suite: Suite, run: Run, node: TestNode): PlannedSuite => {
  const planned = { ...suite, projects: projectsOf(suite), node }
  if (!suite.split || run === 'all') return planned
  const { guarantees: tags, files } = findCoreTests(planned.projects[0] ?? '')
  if (run === 'rest') return { ...planned, filter: { tags, isWanted: false } }
  return { ...planned, files, filter: { tags, isWanted: true } }
}

/** On the other Node a suite has core tests, and the version in its name. */
const planOnOther = (suite: Suite, node: TestNode): PlannedSuite[] => {
  const name = `${suite.name} on Node ${node.version}`
  const { otherNode: projects } = suite
  return projects ? [planSuite({ ...suite, name, projects }, 'core', node)] : []
}

/** `only` are names, and all if there are none. */
export const planRun = (run: Run, only: readonly string[], { own, other }: Nodes): Plan => {
  const isWanted = ({ name }: { name: string }) => only.length === 0 || only.includes(name)
  type Kind = { core?: boolean; split?: boolean; prepares?: boolean }
  const isHere = ({ core = false, split = false, prepares = false }: Kind) =>
    run === 'all' || (run === 'core' && core) || (run === 'rest' && (!core || split || prepares))
  return {
    checks: CHECKS.filter((check) => isWanted(check) && isHere(check)),
    suites: SUITES.filter(isWanted).flatMap((suite) => [
      ...(isHere(suite) ? [planSuite(suite, run, own)] : []),
      ...(other ? planOnOther(suite, other) : []),
    ]),
  }
}
