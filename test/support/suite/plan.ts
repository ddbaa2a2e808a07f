// Decides which checks and suites a run has, and on which version of Node.
import { findCoreTests } from './core-tests.ts'
import type { TestNode } from './node-versions.ts'
import { CHECKS, type Check, projectsOf, SUITES, type Suite } from './suites.ts'

/**
 * `core` is `npm test`: it needs Node alone, and proves each guarantee once. `all` is everything, on both versions of Node.
 * `other-node` has the suites that depend on the version of Node, on the other one.
 */
const RUNS = ['core', 'all', 'other-node'] as const
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

type WithProjects = Suite & Pick<PlannedSuite, 'projects'>

/** The core tests of a suite, and for `all` its other tests as a part of its own: a run can continue the core run. */
const partsOf = (suite: WithProjects, run: Run, node: TestNode): PlannedSuite[] => {
  if (!suite.split) return [{ ...suite, node }]
  const { guarantees: tags, files } = findCoreTests(suite.projects[0] ?? '')
  const core = { ...suite, node, files, filter: { tags, isWanted: true } }
  const rest = {
    ...suite,
    name: `${suite.name}, the rest`,
    node,
    filter: { tags, isWanted: false },
  }
  return run === 'all' ? [core, rest] : [core]
}

/** On the other Node a suite has its core tests, and the version in its name. */
const onOther = (suite: WithProjects, node: TestNode): PlannedSuite[] =>
  partsOf({ ...suite, name: `${suite.name} on Node ${node.version}` }, 'core', node)

/** `only` are names, and all if there are none; `done` are names that an earlier part of the run has. */
export const planRun = (
  { run, only, done }: { run: Run; only: readonly string[]; done: readonly string[] },
  { own, other }: Nodes,
): Plan => {
  const isWanted = ({ name }: { name: string }) => only.length === 0 || only.includes(name)
  const isHere = ({ core = false }: { core?: boolean }) => run === 'all' || (run === 'core' && core)
  const isLeft = ({ name }: { name: string }) => !done.includes(name)
  const suites = SUITES.filter(isWanted)
    .map((suite): WithProjects => ({ ...suite, projects: projectsOf(suite) }))
    .flatMap((suite) => [
      ...(isHere(suite) ? partsOf(suite, run, own) : []),
      ...(other && suite.onBothNodes ? onOther(suite, other) : []),
    ])
  return {
    checks: CHECKS.filter((check) => isWanted(check) && isHere(check) && isLeft(check)),
    suites: suites.filter(isLeft),
  }
}
