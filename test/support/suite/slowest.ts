// Where the time of a whole run went: its slowest suites and test files.

/** Something that ran, by name; `cores` is how many it kept busy on average, where that was measured. */
export type Timed = { name: string; ms: number; cores?: number }

const SHOWN = 10

const formatSeconds = ({ ms }: Timed): string => `${(ms / 1000).toFixed(1)} s`
const formatCores = ({ cores }: Timed): string =>
  cores === undefined ? '' : `${cores.toFixed(1)} cores  `

/** The slowest ten, the slowest first. */
export const slowestLines = (what: string, all: readonly Timed[]): string[] => {
  const slowest = [...all].sort((one, other) => other.ms - one.ms).slice(0, SHOWN)
  const width = Math.max(...slowest.map((each) => formatSeconds(each).length))
  return [
    `slowest ${what}:`,
    ...slowest.map(
      (each) => `  ${formatSeconds(each).padStart(width)}  ${formatCores(each)}${each.name}`,
    ),
  ]
}
