// Runs every check and suite this machine has the parts for, and says by name what it left out and why.
// Must end with one line of counts that sums all of them, and must not pass in CI with a part missing.
// `--node=other` runs the suites that are marked for it on the other version of Node, `--node=both` those after everything else.
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { runStep } from './support/process/run-step.ts'
import { environmentOf, otherNode, type TestNode, thisNode } from './support/suite/node-versions.ts'
import { lackOf, type Requirement } from './support/suite/requirements.ts'
import {
  addCounts,
  type Counts,
  NOTHING,
  readReport,
  summaryLine,
} from './support/suite/test-report.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const MINUTE_MS = 60_000

type Check = { name: string; command: readonly string[] }
type Suite = {
  name: string
  /** Folders below test/; the suite is there once one of them holds a test. */
  projects: readonly string[]
  deadlineMs: number
  needs?: readonly Requirement[]
  /** Runs on both versions of Node. */
  onBothNodes?: boolean
}

const CHECKS: readonly Check[] = [
  { name: 'typecheck', command: ['tsc', '--noEmit'] },
  { name: 'lint', command: ['biome', 'check', '.'] },
  { name: 'dead code', command: ['knip'] },
]

const SUITES: readonly Suite[] = [
  {
    ...{ name: 'unit', projects: ['architecture', 'unit'] },
    ...{ deadlineMs: 3 * MINUTE_MS, onBothNodes: true },
  },
  { name: 'property', projects: ['property'], deadlineMs: 8 * MINUTE_MS, onBothNodes: true },
  { name: 'simulation', projects: ['sim'], deadlineMs: 15 * MINUTE_MS },
  // With every native package: the embedded log, the embedded ClickHouse, and what loads it.
  {
    ...{ name: 'integration', projects: ['integration'] },
    ...{ deadlineMs: 15 * MINUTE_MS, onBothNodes: true },
  },
  { name: 'hostile', projects: ['hostile'], deadlineMs: 15 * MINUTE_MS },
  { name: 'kafka', projects: ['kafka'], deadlineMs: 20 * MINUTE_MS, needs: ['kafka'] },
  { name: 'end to end', projects: ['e2e'], deadlineMs: 15 * MINUTE_MS },
  {
    ...{ name: 'conformance', projects: ['conformance'] },
    ...{ deadlineMs: 20 * MINUTE_MS, needs: ['python', 'browser'] },
  },
  {
    ...{ name: 'browser', projects: ['browser'] },
    ...{ deadlineMs: 20 * MINUTE_MS, needs: ['browser'] },
  },
  { name: 'devnet', projects: ['devnet'], deadlineMs: 50 * MINUTE_MS, needs: ['go', 'cc'] },
]

type Left = { name: string; reason: string }
type Outcome = { counts: Counts; left: Left[]; failures: readonly string[] }

const isCi = (): boolean => /^(?:1|true)$/i.test(process.env['CI'] ?? '')
const tool = (name: string): string => join(ROOT, 'node_modules', '.bin', name)
const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')

const hasTests = ({ projects }: Suite): boolean =>
  projects.some((project) => {
    const folder = join(ROOT, 'test', project)
    if (!existsSync(folder)) return false
    return readdirSync(folder, { recursive: true }).some((name) =>
      String(name).endsWith('.test.ts'),
    )
  })

const runCheck = async ({ name, command }: Check): Promise<Outcome> => {
  const [program = '', ...args] = command
  console.log(`\n▶ ${name}`)
  const ended = await runStep({
    command: tool(program),
    args,
    cwd: ROOT,
    deadlineMs: 5 * MINUTE_MS,
  })
  if (ended.ok) return { counts: { ...NOTHING, passed: 1 }, left: [], failures: [] }
  console.log(`✗ ${name}: ${ended.reason}`)
  return { counts: { ...NOTHING, failed: 1 }, left: [], failures: [`${name}: ${ended.reason}`] }
}

const runSuite = async (suite: Suite, node: TestNode, folder: string): Promise<Outcome> => {
  const name = `${suite.name} on Node ${node.version}`
  console.log(`\n▶ ${name}`)
  const report = join(folder, `${suite.projects.join('-')}-${node.version}.json`)
  const ended = await runStep({
    command: node.path,
    args: [
      VITEST,
      'run',
      '--config',
      'test/vitest.config.ts',
      ...suite.projects.flatMap((project) => ['--project', project]),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    cwd: ROOT,
    deadlineMs: suite.deadlineMs,
    env: environmentOf(node),
  })
  const text = await readFile(report, 'utf8').catch(() => '')
  const { counts, skipped, failures } = readReport(text, ended.ok)
  if (!ended.ok) console.log(`✗ ${name}: ${ended.reason}`)
  const left = skipped.map((test) => ({ name: test, reason: 'the test skips itself' }))
  return { counts, left, failures: failures.map((failure) => `${name}: ${failure}`) }
}

const leaveOut = (suite: Suite, reasons: readonly string[]): Outcome => {
  const left = [{ name: suite.name, reason: reasons.join('; ') }]
  return { counts: isCi() ? { ...NOTHING, failed: 1 } : NOTHING, left, failures: [] }
}

const runOnThisNode = async (folder: string): Promise<Outcome[]> => {
  const outcomes: Outcome[] = []
  for (const check of CHECKS) outcomes.push(await runCheck(check))
  for (const suite of SUITES.filter(hasTests)) {
    const lacks = (suite.needs ?? []).map(lackOf).filter((reason) => reason !== undefined)
    const isLeftOut = lacks.length > 0
    outcomes.push(isLeftOut ? leaveOut(suite, lacks) : await runSuite(suite, thisNode(), folder))
  }
  return outcomes
}

const runOnOtherNode = async (folder: string): Promise<Outcome[]> => {
  const node = await otherNode()
  const outcomes: Outcome[] = []
  for (const suite of SUITES.filter(({ onBothNodes }) => onBothNodes)) {
    outcomes.push(await runSuite(suite, node, folder))
  }
  return outcomes
}

const runAll = async (folder: string): Promise<Outcome> => {
  const { values } = parseArgs({ options: { node: { type: 'string', default: 'this' } } })
  if (!['this', 'other', 'both'].includes(values.node)) throw new Error('--node=this|other|both')
  const outcomes = [
    ...(values.node === 'other' ? [] : await runOnThisNode(folder)),
    ...(values.node === 'this' ? [] : await runOnOtherNode(folder)),
  ]
  return {
    counts: outcomes.map(({ counts }) => counts).reduce(addCounts, NOTHING),
    left: outcomes.flatMap(({ left }) => left),
    failures: outcomes.flatMap(({ failures }) => failures),
  }
}

const startedMs = performance.now()
const folder = await mkdtemp(join(tmpdir(), 'rollcall-test-'))
const { counts, left, failures } = await runAll(folder)
await rm(folder, { recursive: true, force: true })

const seconds = Math.round((performance.now() - startedMs) / 1000)
console.log(`\nran for ${seconds} s`)
for (const failure of failures) console.log(`failed: ${failure}`)
for (const { name, reason } of left) console.log(`not run: ${name} (${reason})`)
if (isCi() && left.length > 0) console.log('CI allows nothing to be left out')
console.log(summaryLine(counts))
process.exitCode = counts.failed > 0 || counts.passed === 0 || (isCi() && left.length > 0) ? 1 : 0
