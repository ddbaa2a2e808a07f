// Lists the slowest suites and test files of a run.

/** A suite or file by name; `cores` is the average number of busy cores, if measured. */
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
