// What a run found: sums over its suites, what failed, and what was left out.
import type { Failure } from './failure.ts'

/** A suite or file by name. */
export type Timed = { name: string; ms: number }

export type Left = { name: string; reason: string }
export type SuiteFailure = Failure & { suite: string }

export type Outcome = {
  passed: number
  failures: readonly SuiteFailure[]
  /** Tests that skip themselves. */
  skipped: readonly Left[]
  /** Checks and suites that this machine cannot run. */
  lacking: readonly Left[]
  suites: readonly Timed[]
  files: readonly Timed[]
}

export const NOTHING: Outcome = {
  passed: 0,
  failures: [],
  skipped: [],
  lacking: [],
  suites: [],
  files: [],
}

export const addOutcomes = (one: Outcome, other: Outcome): Outcome => ({
  passed: one.passed + other.passed,
  failures: [...one.failures, ...other.failures],
  skipped: [...one.skipped, ...other.skipped],
  lacking: [...one.lacking, ...other.lacking],
  suites: [...one.suites, ...other.suites],
  files: [...one.files, ...other.files],
})

const MINUTE_S = 60

export const formatDuration = (ms: number): string => {
  const seconds = Math.round(ms / 1000)
  if (seconds < MINUTE_S) return `${seconds} s`
  return `${Math.floor(seconds / MINUTE_S)} min ${seconds % MINUTE_S} s`
}

const sumLine = ({ passed, failures, skipped }: Outcome): string =>
  `${passed} passed, ${failures.length} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`

const NAME_WIDTH = 30

/** One line for a suite that has ended. */
export const suiteLine = (name: string, outcome: Outcome, ms: number): string => {
  const mark = outcome.failures.length > 0 ? '✗' : '✓'
  return `${mark} ${name.padEnd(NAME_WIDTH)} ${formatDuration(ms).padStart(11)}   ${sumLine(outcome)}`
}

export const isGreen = ({ passed, failures, skipped, lacking }: Outcome, isCi: boolean): boolean =>
  passed > 0 && failures.length === 0 && !(isCi && skipped.length + lacking.length > 0)

const SHOWN = 10

const formatSeconds = ({ ms }: Timed): string => `${(ms / 1000).toFixed(1)} s`

/** The slowest ten, the slowest first. */
const slowestLines = (what: string, all: readonly Timed[]): string[] => {
  const slowest = [...all].sort((one, other) => other.ms - one.ms).slice(0, SHOWN)
  const width = Math.max(...slowest.map((each) => formatSeconds(each).length))
  return [
    `slowest ${what}:`,
    ...slowest.map((each) => `  ${formatSeconds(each).padStart(width)}  ${each.name}`),
  ]
}

/** The end of a run: what was slow, what failed with the command that repeats it, what the machine lacked, and the sums. */
export const endLines = (outcome: Outcome, isCi: boolean): string[] => {
  const { failures, skipped, lacking, suites, files } = outcome
  return [
    ...slowestLines('suites', suites),
    ...slowestLines('test files', files),
    ...failures.flatMap(({ suite, name, reason, repeat }) => [
      `failed: ${suite}: ${name}: ${reason}`,
      ...(repeat === undefined ? [] : [`  repeat: ${repeat}`]),
    ]),
    ...[...skipped, ...lacking].map(({ name, reason }) => `not run: ${name} (${reason})`),
    ...(isCi && skipped.length + lacking.length > 0 ? ['CI allows nothing to be left out'] : []),
    sumLine(outcome),
  ]
}
