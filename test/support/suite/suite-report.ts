// The results of one suite, as its reporter writes them for the run.
import { describeFailure, type Failure } from './failure.ts'
import type { TagFilter } from './plan.ts'

/** The environment variable with the `ReportOptions` of a suite as JSON. */
export const REPORT_VARIABLE = 'SUITE_REPORT'
/** `vitest` is the command that starts it on the Node of the suite. */
export type ReportOptions = { reportFile: string; vitest: string; filter?: TagFilter | undefined }

export type SuiteReport = {
  passed: number
  /** Names of tests. */
  skipped: string[]
  failures: Failure[]
  /** The duration of each file, including hooks and imports. */
  fileMs: Record<string, number>
}

const NO_REPORT: SuiteReport = { passed: 0, skipped: [], failures: [], fileMs: {} }

/** A suite that failed without a failing test, or that wrote no report, has one failure, with the reason of its end. */
export const readSuiteReport = (text: string, reason: string | undefined): SuiteReport => {
  const report = text === '' ? NO_REPORT : (JSON.parse(text) as SuiteReport)
  if (report.failures.length > 0 || (text !== '' && reason === undefined)) return report
  return { ...report, failures: [describeFailure({}, { message: reason ?? 'wrote no report' })] }
}
