// Decides which checks and suites a run has, and on which version of Node.
import { findCoreFiles } from './core-files.ts'
import type { TestNode } from './node-versions.ts'
import { CHECKS, type Check, SUITES, type Suite } from './suites.ts'

/**
 * `core` is `npm test`: it needs Node alone, and proves each guarantee once. `all` is everything, on both versions of Node.
 * `other-node` has the suites that depend on the version of Node, on the other one.
 */
const RUNS = ['core', 'all', 'other-node'] as const
export type Run = (typeof RUNS)[number]

/** The Node that started the run, and the other one if the run needs it. */
export type Nodes = { own: TestNode; other?: TestNode }
/** Without `files`, a suite has all of its projects. */
export type PlannedSuite = Suite & { node: TestNode; files?: readonly string[] }
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

/** The core files of a suite, and for `all` its other files as a part of its own: a run can continue the core run. */
const partsOf = (suite: Suite, run: Run, node: TestNode): PlannedSuite[] => {
  if (!suite.split) return [{ ...suite, node }]
  const { core, rest } = findCoreFiles()(suite.projects[0] ?? '')
  const more = { ...suite, name: `${suite.name}, the rest`, node, files: rest }
  return [{ ...suite, node, files: core }, ...(run === 'all' ? [more] : [])]
}

/** On the other Node a suite has its core files, and the version in its name. */
const onOther = (suite: Suite, node: TestNode): PlannedSuite[] =>
  partsOf({ ...suite, name: `${suite.name} on Node ${node.version}` }, 'core', node)

/** `only` are names, and all if there are none; `done` are names that an earlier part of the run has. */
export const planRun = (
  { run, only, done }: { run: Run; only: readonly string[]; done: readonly string[] },
  { own, other }: Nodes,
): Plan => {
  const isWanted = ({ name }: { name: string }) => only.length === 0 || only.includes(name)
  const isHere = ({ core = false }: { core?: boolean }) => run === 'all' || (run === 'core' && core)
  const isLeft = ({ name }: { name: string }) => !done.includes(name)
  const suites = SUITES.filter(isWanted).flatMap((suite) => [
    ...(isHere(suite) ? partsOf(suite, run, own) : []),
    ...(other && suite.onBothNodes ? onOther(suite, other) : []),
  ])
  return {
    checks: CHECKS.filter((check) => isWanted(check) && isHere(check) && isLeft(check)),
    suites: suites.filter(isLeft),
  }
}
