// Finds variables of the environment that have no effect: their names are almost the name of a setting, or were one. Pure.
import type { Environment } from '../base/runtime/config.ts'
import { SETTINGS } from './settings.ts'

/** `setting` is the setting that is meant; null for a variable that was a setting. */
export type UnusedVariable = { variable: string; setting: string | null }

const NAMES = SETTINGS.flatMap(({ settings }) => settings.map(({ env }) => env))
const KNOWN: ReadonlySet<string> = new Set(NAMES)

/** Settings of 1.0.0 that have fixed values now. */
const RETIRED: ReadonlySet<string> = new Set([
  'API_MAX_READS',
  'API_MAX_READS_PER_ADDRESS',
  'BACKFILL_BATCH_HEIGHTS',
  'BACKFILL_BATCH_MEBIBYTES',
  'CLOCK_SKEW_SECONDS',
  'ID_JAG_MAX_AUTH_AGE_SECONDS',
  'KEPT_GENERATIONS',
  'LIVE_MARKER_SECONDS',
  'PREFETCH_BLOCKS',
  'PREFETCH_MEBIBYTES',
  'PROJECTION_BATCH_BYTES',
  'PROJECTION_BATCH_EVENTS',
  'PROJECTION_HEARTBEAT_MS',
  'PROJECTION_STORE_RETRY_MAX_MS',
  'RPC_RETRY_BUDGET_SECONDS',
  'SERVED_STATE_POLL_MS',
  'STATE_READS_CONCURRENT',
  'STATUS_POLL_SECONDS',
  'STREAM_LISTENERS',
  'STREAM_LISTENERS_PER_ADDRESS',
  'TALLY_READ_BUDGET_SECONDS',
  'TOTAL_REGISTRATIONS_PER_MINUTE',
])

/** In short names such as PORT or HOST, two letters are most of the name: HOME and PATH are no mistakes. */
const SHORT_NAME = 6
const toMaxDistance = (name: string): number => (name.length <= SHORT_NAME ? 1 : 2)

/** Letter case and underscores do not count. */
const simplify = (name: string): string => name.toUpperCase().replace(/[^A-Z0-9]/g, '')

/** The number of inserted, missing, wrong and swapped letters. */
const computeDistance = (one: string, other: string): number => {
  const rows = [Array.from({ length: other.length + 1 }, (_, column) => column)]
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    for (let column = 1; column <= other.length; column++) {
      const [above = [], twoAbove = []] = [rows[row - 1], rows[row - 2]]
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      current[column] = Math.min(
        above[column]! + 1,
        current[column - 1]! + 1,
        above[column - 1]! + (isSame ? 0 : 1),
        isSwapped ? (twoAbove[column - 2] ?? Infinity) + 1 : Infinity,
      )
    }
    rows.push(current)
  }
  return rows[one.length]![other.length]!
}

const findSimilar = (variable: string): string | undefined => {
  const simple = simplify(variable)
  const near = NAMES.map((name) => ({ name, distance: computeDistance(simple, simplify(name)) }))
    .filter(({ name, distance }) => distance <= toMaxDistance(name))
    .sort((a, b) => a.distance - b.distance)
  return near[0]?.name
}

/** Names only: the value of a mistyped setting may be a secret. */
export const findUnusedVariables = (env: Environment): UnusedVariable[] =>
  Object.keys(env)
    .filter((variable) => env[variable] !== undefined && !KNOWN.has(variable))
    .flatMap((variable): UnusedVariable[] => {
      if (RETIRED.has(variable)) return [{ variable, setting: null }]
      const setting = findSimilar(variable)
      return setting === undefined ? [] : [{ variable, setting }]
    })

export const unusedVariableText = ({ variable, setting }: UnusedVariable): string =>
  setting === null
    ? `${variable} is no longer a setting and has no effect: its value is fixed now`
    : `${variable} is not a setting and has no effect; is it meant to be ${setting}?`
