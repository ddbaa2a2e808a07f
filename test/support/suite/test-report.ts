// Reads the result of a test run from its JSON report: counts for the machine-readable line, and failures.

export type Counts = { passed: number; failed: number; skipped: number }

export const NOTHING: Counts = { passed: 0, failed: 0, skipped: 0 }

export const addCounts = (left: Counts, right: Counts): Counts => ({
  passed: left.passed + right.passed,
  failed: left.failed + right.failed,
  skipped: left.skipped + right.skipped,
})

type Report = {
  /** Times of `json-reporter.ts` by file, including hooks and imports. */
  fileMs?: Record<string, number>
  /** Errors of hooks in suites, by file. */
  hookErrors?: Record<string, string[]>
  testResults: {
    name: string
    message: string
    status: string
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
  }[]
}

const parse = (text: string): Report => {
  try {
    return JSON.parse(text) as Report
  } catch {
    return { testResults: [] }
  }
}

export type Outcomes = {
  counts: Counts
  skipped: string[]
  /** Failures by name, each with the first line of its reason. */
  failures: string[]
  /** The duration of each file. */
  fileMs: Readonly<Record<string, number>>
}

const firstLine = (text: string | undefined): string => text?.trim().split('\n', 1)[0] ?? ''

/** A failed run counts at least one failure, even if no test failed. */
export const readReport = (text: string, ok: boolean): Outcomes => {
  const { testResults: files, fileMs = {}, hookErrors = {} } = parse(text)
  const tests = files.flatMap((file) => file.assertionResults)
  const passed = tests.filter(({ status }) => status === 'passed').length
  const failed = tests.filter(({ status }) => status === 'failed')
  // A file that could not be loaded has no tests to fail.
  const broken = files.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  )
  const skipped = tests
    .filter(({ status }) => status !== 'passed' && status !== 'failed')
    .map(({ fullName }) => fullName)
  const failures = [
    ...broken.map(({ name, message }) => `${name}: ${firstLine(message || hookErrors[name]?.[0])}`),
    ...failed.map(
      ({ fullName, failureMessages }) => `${fullName}: ${firstLine(failureMessages[0])}`,
    ),
  ]
  return {
    counts: {
      passed,
      failed: failures.length === 0 && !ok ? 1 : failures.length,
      skipped: skipped.length,
    },
    skipped,
    failures,
    fileMs,
  }
}

export const summaryLine = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
