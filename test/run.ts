// Runs every check and suite that this machine supports, and lists the skipped ones with the reason.
// It ends with one line of total counts, and fails in CI if a suite is skipped.
// Suites that leave cores idle run in parallel; the output of each is printed when it has ended.
// `--node=other` runs the marked suites on the other version of Node, `--node=both` runs them in addition to all others.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Measured, type MeasuredStep, runMeasured } from './support/suite/measured-step.ts'
import {
  createEnvironment,
  otherNode,
  type TestNode,
  thisNode,
} from './support/suite/node-versions.ts'
import { checkRequirement } from './support/suite/requirements.ts'
import { type Job, runTogether } from './support/suite/run-together.ts'
import { slowestLines, type Timed } from './support/suite/slowest.ts'
import { chooseTemporaryParent } from './support/suite/suite-temporary.ts'
import { CHECKS, type Check, SUITES, type Suite } from './support/suite/suites.ts'
import {
  addCounts,
  type Counts,
  NOTHING,
  readReport,
  summaryLine,
} from './support/suite/test-report.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
const REPORTER = join(ROOT, 'test', 'support', 'suite', 'json-reporter.ts')

type Left = { name: string; reason: string }
type Outcome = {
  counts: Counts
  left: readonly Left[]
  failures: readonly string[]
  suite?: Timed
  files: readonly Timed[]
}

/** `cores` are averages: suites seldom need theirs at the same moment, so a fifth more is planned. */
const PLANNED_SHARE = 1.2

const NO_OUTCOME: Outcome = { counts: NOTHING, left: [], failures: [], files: [] }

/** A signal interrupted the run. */
const isInterrupted = (): boolean => process.exitCode === 130
const isCi = (): boolean => /^(?:1|true)$/i.test(process.env['CI'] ?? '')
const tool = (name: string): string => join(ROOT, 'node_modules', '.bin', name)

const startedMs = performance.now()
const folder = await mkdtemp(join(chooseTemporaryParent(), 'rollcall-test-'))

type Command = Pick<MeasuredStep, 'command' | 'args' | 'env'>
type Run = Pick<MeasuredStep, 'name' | 'deadlineMs'>

/** Prints the complete output after the end of the command, because several commands run in parallel. */
const run = async ({ name, deadlineMs }: Run, command: Command): Promise<Measured> => {
  const outputFile = join(folder, `${name.replaceAll(/\W+/g, '-')}.log`)
  console.log(`… ${name} begins after ${Math.round((performance.now() - startedMs) / 1000)} s`)
  const measured = await runMeasured({ name, deadlineMs, ...command, cwd: ROOT, outputFile })
  const { ended, output, timed } = measured
  console.log(`\n▶ ${name}: ${Math.round(timed.ms / 1000)} s`)
  process.stdout.write(output)
  if (!ended.ok) console.log(`✗ ${name}: ${ended.reason}`)
  return measured
}

const runCheck = async (check: Check): Promise<Outcome> => {
  const [program = '', ...args] = check.command
  const { ended, timed: suite } = await run(check, { command: tool(program), args })
  if (ended.ok) return { ...NO_OUTCOME, suite, counts: { ...NOTHING, passed: 1 } }
  const failures = [`${check.name}: ${ended.reason}`]
  return { ...NO_OUTCOME, suite, counts: { ...NOTHING, failed: 1 }, failures }
}

const runSuite = async (suite: Suite, node: TestNode): Promise<Outcome> => {
  const name = `${suite.name} on Node ${node.version}`
  const report = join(folder, `${suite.projects.join('-')}-${node.version}.json`)
  const projects = suite.projects.flatMap((project) => ['--project', project])
  const reporters = ['--reporter=default', `--reporter=${REPORTER}`, `--outputFile.json=${report}`]
  const { ended, timed } = await run(
    { name, deadlineMs: suite.deadlineMs },
    {
      command: node.path,
      args: [VITEST, 'run', '--config', 'test/vitest.config.ts', ...projects, ...reporters],
      env: {
        ...createEnvironment(node),
        TMPDIR: folder,
        // Hundreds of processes load the same sources; older versions of Node ignore this variable.
        NODE_COMPILE_CACHE: join(ROOT, 'node_modules', '.cache', 'compiled'),
        ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}),
      },
    },
  )
  const text = await readFile(report, 'utf8').catch(() => '')
  const { counts, skipped, failures, fileMs } = readReport(text, ended.ok)
  return {
    counts,
    left: skipped.map((test) => ({ name: test, reason: 'the test skips itself' })),
    failures: failures.map((failure) => `${name}: ${failure}`),
    suite: timed,
    files: Object.entries(fileMs).map(([file, ms]) => ({
      name: `${file} on Node ${node.version}`,
      ms,
    })),
  }
}

const leaveOut = (suite: Suite, reasons: readonly string[]): Outcome => {
  const left = [{ name: suite.name, reason: reasons.join('; ') }]
  return { ...NO_OUTCOME, counts: isCi() ? { ...NOTHING, failed: 1 } : NOTHING, left }
}

const checkRequirements = ({ needs = [] }: Pick<Suite, 'needs'>): string[] =>
  needs.map(checkRequirement).filter((reason) => reason !== undefined)

const suiteJob = (suite: Suite, node: TestNode): Job<Outcome> => {
  const problems = checkRequirements(suite)
  if (problems.length === 0) return { ...suite, run: () => runSuite(suite, node) }
  return { cores: 0, run: async () => leaveOut(suite, problems) }
}

const runAll = async (): Promise<Outcome[]> => {
  const { values } = parseArgs({ options: { node: { type: 'string', default: 'this' } } })
  if (!['this', 'other', 'both'].includes(values.node)) throw new Error('--node=this|other|both')
  const one = values.node === 'other' ? undefined : thisNode()
  const other = values.node === 'this' ? undefined : await otherNode()
  const jobs = SUITES.flatMap((suite) => [
    ...(one ? [suiteJob(suite, one)] : []),
    ...(other && suite.onBothNodes ? [suiteJob(suite, other)] : []),
  ])
  const checks = CHECKS.filter((check) => one && checkRequirements(check).length === 0).map(
    (check): Job<Outcome> => ({ ...check, run: () => runCheck(check) }),
  )
  const all = [...checks, ...jobs].map(
    (job): Job<Outcome> => ({
      ...job,
      run: async () => (isInterrupted() ? NO_OUTCOME : job.run()),
    }),
  )
  return runTogether(all, availableParallelism() * PLANNED_SHARE)
}

// A process that ends late can still write to the folder.
const removeFolder = () => rm(folder, { recursive: true, force: true, maxRetries: 10 })
const outcomes = await runAll().finally(removeFolder)

const counts = outcomes.map((outcome) => outcome.counts).reduce(addCounts, NOTHING)
const left = outcomes.flatMap((outcome) => outcome.left)
const suites = outcomes.flatMap((outcome) => outcome.suite ?? [])
const files = outcomes.flatMap((outcome) => outcome.files)
const failures = outcomes.flatMap((outcome) => outcome.failures)

console.log(`\nran for ${Math.round((performance.now() - startedMs) / 1000)} s`)
for (const line of slowestLines('suites', suites)) console.log(line)
for (const line of slowestLines('test files', files)) console.log(line)
for (const failure of failures) console.log(`failed: ${failure}`)
for (const { name, reason } of left) console.log(`not run: ${name} (${reason})`)
if (isCi() && left.length > 0) console.log('CI allows nothing to be left out')
console.log(summaryLine(counts))
process.exitCode = counts.failed > 0 || counts.passed === 0 || (isCi() && left.length > 0) ? 1 : 0
