// Where the time of a whole run went: its slowest suites and test files.

/** Something that ran, by name. */
export type Timed = { name: string; ms: number }

const SHOWN = 10

const secondsOf = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/** The slowest ten, the slowest first. */
export const slowestLines = (what: string, all: readonly Timed[]): string[] => {
  const slowest = [...all].sort((one, other) => other.ms - one.ms).slice(0, SHOWN)
  const width = Math.max(...slowest.map(({ ms }) => secondsOf(ms).length))
  return [
    `slowest ${what}:`,
    ...slowest.map(({ name, ms }) => `  ${secondsOf(ms).padStart(width)}  ${name}`),
  ]
}
