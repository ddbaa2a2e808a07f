// The reporter of vitest for a whole run: shows each failure when it happens, and writes the results of the suite.
import { writeFileSync, writeSync } from 'node:fs'
import type { Reporter, SerializedError, TestCase, TestModule, TestSuite } from 'vitest/node'
import { LIVE_FD } from '../process/run-step.ts'
import { describeFailure, type Failure, failureText, type Place } from './failure.ts'
import { REPORT_VARIABLE, type ReportOptions, type SuiteReport } from './suite-report.ts'

type Named = TestCase | TestSuite

/** The names of a test and its suites as vitest joins them for `-t`. */
const readFullName = (task: Named): string =>
  task.parent.type === 'module' ? task.name : `${readFullName(task.parent)} ${task.name}`

const sumDurations = (module: TestModule): number => {
  const { prepareDuration, environmentSetupDuration, setupDuration, collectDuration, duration } =
    module.diagnostic()
  return prepareDuration + environmentSetupDuration + setupDuration + collectDuration + duration
}

const readOptions = (): ReportOptions => {
  const options = process.env[REPORT_VARIABLE]
  if (options === undefined) throw new Error(`${REPORT_VARIABLE} is not set: test/run.ts sets it`)
  // No test sees it.
  delete process.env[REPORT_VARIABLE]
  return JSON.parse(options) as ReportOptions
}

class SuiteReporter implements Reporter {
  private readonly options = readOptions()
  private readonly failures: Failure[] = []

  /** Another part of the run has the others. */
  private isPlanned({ tags }: TestCase): boolean {
    const { filter } = this.options
    return !filter || tags.some((tag) => filter.tags.includes(tag)) === filter.isWanted
  }

  private fail(error: SerializedError | undefined, place: Place): void {
    const failure = describeFailure(place, error, this.options.vitest)
    this.failures.push(failure)
    writeSync(LIVE_FD, failureText(failure, error))
  }

  onTestCaseResult(test: TestCase): void {
    const result = test.result()
    if (result.state !== 'failed') return
    const { module, project } = test
    const file = module.relativeModuleId
    this.fail(result.errors[0], { project: project.name, file, test: readFullName(test) })
  }

  /** A file that does not load, or a hook that fails. */
  onTestModuleEnd(module: TestModule): void {
    const place = { project: module.project.name, file: module.relativeModuleId }
    for (const error of module.errors()) this.fail(error, place)
    for (const suite of module.children.allSuites()) {
      for (const error of suite.errors()) this.fail(error, { ...place, test: readFullName(suite) })
    }
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    for (const error of unhandled) this.fail(error, {})
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const report: SuiteReport = {
      passed: tests.filter((test) => test.result().state === 'passed').length,
      skipped: tests
        .filter((test) => ['skipped', 'pending'].includes(test.result().state))
        .filter((test) => this.isPlanned(test))
        .map(readFullName),
      failures: this.failures,
      fileMs: Object.fromEntries(
        modules.map((module) => [module.relativeModuleId, Math.round(sumDurations(module))]),
      ),
    }
    writeFileSync(this.options.reportFile, JSON.stringify(report))
  }
}

// biome-ignore lint/style/noDefaultExport: vitest loads a reporter by it
export default SuiteReporter
