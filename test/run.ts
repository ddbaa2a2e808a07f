// Runs the checks and suites of a run, in parallel if they leave cores idle: one line for each, and each failure when it happens.
// `core` is `npm test`; `all`, `rest` and `other-node` are `npm run test:all`, `test:rest` and `test:other-node`. `--only=NAME` runs one of them and can be repeated.
import { statfsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, stripVTControlCharacters } from 'node:util'
import { type Ended, runStep, type Step } from './support/process/run-step.ts'
import {
  createEnvironment,
  otherNode,
  type TestNode,
  thisNode,
} from './support/suite/node-versions.ts'
import {
  addOutcomes,
  endLines,
  formatDuration,
  isGreen,
  NOTHING,
  type Outcome,
  suiteLine,
  type Timed,
} from './support/suite/outcome.ts'
import {
  checkNames,
  type PlannedSuite,
  parseRun,
  planRun,
  type TagFilter,
} from './support/suite/plan.ts'
import { checkRequirement } from './support/suite/requirements.ts'
import { type Job, runTogether } from './support/suite/run-together.ts'
import {
  REPORT_VARIABLE,
  type ReportOptions,
  readSuiteReport,
} from './support/suite/suite-report.ts'
import { type Check, DEADLINE_MINUTES } from './support/suite/suites.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
const CONFIG = 'test/vitest.config.ts'
const REPORTERS = ['default', join(ROOT, 'test', 'support', 'suite', 'suite-reporter.ts')].map(
  (reporter) => `--reporter=${reporter}`,
)
/** The complete output of each suite of the latest run. */
const OUTPUTS = join(ROOT, '.cache', 'test-output')

/** `cores` are averages: suites seldom need theirs at the same moment, and a core that waits for a test is lost. */
const PLANNED_SHARE = 1.4

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', multiple: true, default: [] } },
})
const run = parseRun(positionals[0] ?? 'core')
const { only } = values
checkNames(only)

const isCi = /^(?:1|true)$/i.test(process.env['CI'] ?? '')
/** A signal interrupted the run. */
const isInterrupted = (): boolean => process.exitCode === 130
const tool = (name: string): string => join(ROOT, 'node_modules', '.bin', name)

const MEMORY_FILES = '/dev/shm'
/** Several times what the suites of a run have at the same time. */
const LEAST_BYTES = 6 * 2 ** 30

const readFreeBytes = (path: string): number => {
  try {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize
  } catch {
    return 0
  }
}

/**
 * Where the suites create their temporary directories: in memory, if there is enough, because the stores of the tests sync thousands of
 * small files, and waiting for a disk proves nothing about the product. `TMPDIR` has priority.
 */
const chooseTemporaryParent = (): string => {
  if (process.env['TMPDIR']) return tmpdir()
  const free = Math.min(readFreeBytes(MEMORY_FILES), process.availableMemory())
  return free < LEAST_BYTES ? tmpdir() : MEMORY_FILES
}

type Command = Pick<Step, 'command' | 'args' | 'env'> & { name: string; minutes?: number }
type Measured = { ended: Ended; output: string; outputFile: string; timed: Timed }

const startedMs = performance.now()
const folder = await mkdtemp(join(chooseTemporaryParent(), 'rollcall-test-'))
await mkdir(OUTPUTS, { recursive: true })

const runCommand = async ({ name, minutes, ...step }: Command): Promise<Measured> => {
  const outputFile = join(OUTPUTS, `${name.replaceAll(/[^\w.]+/g, '-')}.log`)
  await rm(outputFile, { force: true })
  const onLive = (text: string) =>
    void process.stdout.write(process.stdout.isTTY ? text : stripVTControlCharacters(text))
  const beganMs = performance.now()
  const deadlineMs = (minutes ?? DEADLINE_MINUTES) * 60_000
  const ended = await runStep({ ...step, deadlineMs, cwd: ROOT, outputFile, onLive })
  const timed = { name, ms: performance.now() - beganMs }
  return { ended, output: await readFile(outputFile, 'utf8'), outputFile, timed }
}

/** What failed explains itself by its output; a reader of CI has no files. */
const showEnd = (
  outcome: Outcome,
  { output, outputFile, timed }: Measured,
  isShort: boolean,
): void => {
  console.log(suiteLine(timed.name, outcome, timed.ms))
  if (outcome.failures.length === 0) return
  if (isShort || isCi) process.stdout.write(output)
  else console.log(`  complete output: ${relative(process.cwd(), outputFile)}`)
}

const runCheck = async ({ command, ...check }: Check): Promise<Outcome> => {
  const [program = '', ...args] = command
  const measured = await runCommand({ ...check, command: tool(program), args })
  const { ended, timed } = measured
  const line = command.join(' ')
  const failure = { suite: check.name, name: line, repeat: `npx ${line}` }
  const failures = ended.ok ? [] : [{ ...failure, reason: ended.reason }]
  const outcome = { ...NOTHING, passed: ended.ok ? 1 : 0, failures, suites: [timed] }
  showEnd(outcome, measured, true)
  return outcome
}

const isOwn = ({ path }: TestNode): boolean => path === process.execPath

/** The command that starts vitest on this Node. */
const toVitestCommand = (node: TestNode): string =>
  isOwn(node) ? 'npx vitest' : `${relative(ROOT, node.path)} ${relative(ROOT, VITEST)}`

const toTagArgs = ({ tags, isWanted }: TagFilter): string[] => {
  const any = `(${tags.join(' || ')})`
  return [`--tags-filter=${isWanted ? any : `!${any}`}`]
}

const runSuite = async (suite: PlannedSuite): Promise<Outcome> => {
  const { name, projects, node, files = [], filter } = suite
  const reportFile = join(folder, `${name.replaceAll(/\W+/g, '-')}.json`)
  const projectArgs = projects.flatMap((project) => ['--project', project])
  const tagArgs = filter ? toTagArgs(filter) : []
  const options: ReportOptions = { reportFile, vitest: toVitestCommand(node), filter }
  const measured = await runCommand({
    ...suite,
    command: node.path,
    args: [VITEST, 'run', '--config', CONFIG, ...projectArgs, ...tagArgs, ...files, ...REPORTERS],
    env: {
      ...createEnvironment(node),
      [REPORT_VARIABLE]: JSON.stringify(options),
      TMPDIR: folder,
      // Hundreds of processes load the same sources; older versions of Node ignore this variable.
      NODE_COMPILE_CACHE: join(ROOT, 'node_modules', '.cache', 'compiled'),
    },
  })
  const { ended, timed } = measured
  const text = await readFile(reportFile, 'utf8').catch(() => '')
  const report = readSuiteReport(text, ended.ok ? undefined : ended.reason)
  const suffix = isOwn(node) ? '' : ` on Node ${node.version}`
  const outcome: Outcome = {
    passed: report.passed,
    failures: report.failures.map((failure) => ({ suite: name, ...failure })),
    skipped: report.skipped.map((test) => ({ name: test, reason: 'the test skips itself' })),
    lacking: [],
    suites: [timed],
    files: Object.entries(report.fileMs).map(([file, ms]) => ({ name: file + suffix, ms })),
  }
  showEnd(outcome, measured, false)
  return outcome
}

const leaveOut = (name: string, reasons: readonly string[]): Outcome => ({
  ...NOTHING,
  lacking: [{ name, reason: reasons.join('; ') }],
})

const plan = async (): Promise<Job<Outcome>[]> => {
  const nodes = run === 'core' ? { own: thisNode() } : { own: thisNode(), other: await otherNode() }
  const { checks, suites } = planRun(run, only, nodes)
  const toJob = (check: Check) => ({ job: check, start: () => runCheck(check) })
  const jobs = [
    ...checks.filter(({ prepares }) => prepares).map(toJob),
    ...suites.map((suite) => ({ job: suite, start: () => runSuite(suite) })),
    ...checks.filter(({ prepares }) => !prepares).map(toJob),
  ]
  return jobs.map(({ job, start }) => {
    const { name, cores, competesFor = [], needs = [] } = job
    const problems = needs.map(checkRequirement).filter((reason) => reason !== undefined)
    if (problems.length > 0) return { cores: 0, run: async () => leaveOut(name, problems) }
    return { cores, competesFor, run: async () => (isInterrupted() ? NOTHING : start()) }
  })
}

const jobs = await plan()
console.log(`${jobs.length} checks and suites, Node ${process.versions.node}`)
const outcomes = await runTogether(jobs, availableParallelism() * PLANNED_SHARE).finally(
  // A process that ends late can still write to the folder.
  () => rm(folder, { recursive: true, force: true, maxRetries: 10 }),
)
const outcome = outcomes.reduce(addOutcomes, NOTHING)

console.log(`\nran for ${formatDuration(performance.now() - startedMs)}`)
for (const line of endLines(outcome, isCi)) console.log(line)
process.exitCode ||= isGreen(outcome, isCi) ? 0 : 1
