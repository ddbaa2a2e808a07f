// Compares two generations while both are being written: rows and checksums per table and proposal, and the tallies. Reads
// differences again until neither side can still be writing them.
import type { Store } from '../../infra/base/clickhouse/client.ts'
import { abortedError } from '../../infra/base/runtime/abort.ts'
import type { Clock } from '../../infra/base/runtime/clock.ts'
import { toPosition } from '../../ingest/contract/envelope.ts'
import { toDatabaseName } from '../contract/database.ts'
import {
  COMPARED,
  type Columns,
  type ComparedTable,
  readColumns,
  readSums,
  type Sum,
  type Sums,
} from './checksums.ts'
import type { Position, PositionReader } from './position.ts'
import {
  readTallyDifferences,
  readVerdicts,
  type TallyDifference,
  type Verdicts,
} from './tallies.ts'

type Pair<T> = readonly [T, T]

export type TableComparison = { table: string; rows: Pair<number>; differing: number }
export type Difference = {
  table: string
  /** A proposal's ID or a pool's address; empty if the table has no key. */
  key: string
  rows: Pair<number>
}

export type Comparison = {
  /** The served generation, then the other one. Every pair here has this order. */
  generations: Pair<number>
  /** Both generations are complete up to here. */
  height: number
  equal: boolean
  tables: readonly TableComparison[]
  differences: readonly Difference[]
  /** Number of closed rounds by whether their tally matches the chain. */
  verdicts: Pair<Verdicts>
  tallies: readonly TallyDifference[]
  /** Columns of only one generation. */
  notCompared: readonly string[]
}

export type CompareOptions = {
  store: Store
  control: string
  pair: Pair<number>
  positionOf: PositionReader
  clock: Clock
  signal: AbortSignal
}

const POLL_MS = 100
const STABLE_BUDGET_MS = 60_000
/** Above this number, all keys are read. */
const MAX_KEYS = 1_000
const NO_ROWS: Sum = { rows: 0, sum: '0' }

/** Keys of a table with the rows and checksums of both sides. */
type Compared = { table: ComparedTable; sums: Map<string, Pair<Sum>> }

const isEqual = ([one, other]: Pair<Sum>): boolean =>
  one.rows === other.rows && one.sum === other.sum

const unequalKeys = ({ sums }: Compared): string[] =>
  [...sums].filter(([, pair]) => !isEqual(pair)).map(([key]) => key)

const readBoth = async (
  { store, control, pair, signal }: CompareOptions,
  request: Parameters<typeof readSums>[2],
): Promise<Map<string, Pair<Sum>>> => {
  const read = (generation: number): Promise<Sums> =>
    readSums(store, toDatabaseName(generation, control), request, signal)
  const [one, other] = [await read(pair[0]), await read(pair[1])]
  const keys = new Set([...one.keys(), ...other.keys()])
  return new Map(
    [...keys].map((key) => [key, [one.get(key) ?? NO_ROWS, other.get(key) ?? NO_ROWS]]),
  )
}

const positions = async ({ positionOf: read, pair }: CompareOptions): Promise<Pair<Position>> => [
  await read(pair[0]),
  await read(pair[1]),
]

/** Both generations have all events up to the current end of the log. */
const waitForBoth = async (options: CompareOptions): Promise<boolean> => {
  const { clock, signal } = options
  const untilMs = clock.now() + STABLE_BUDGET_MS
  let last = await positions(options)
  const signsOfLife: [number, number] = [0, 0]
  let goals: readonly bigint[] | undefined
  while (clock.now() < untilMs) {
    await clock.sleep(POLL_MS, signal)
    const now = await positions(options)
    for (const side of [0, 1] as const) {
      if (now[side].writtenAt !== last[side].writtenAt) signsOfLife[side]++
    }
    last = now
    // The first read may have started earlier; the second one reports a newer end of the log.
    if (Math.min(...signsOfLife) < 2) continue
    goals ??= now.map(({ logEnd }) => logEnd)
    const reached = goals
    if (now.every(({ nextOffset }) => reached.every((goal) => nextOffset >= goal))) return true
  }
  return false
}

const rereadUnequal = async (
  options: CompareOptions,
  columns: Columns,
  compared: readonly Compared[],
): Promise<boolean> => {
  let hasChanged = false
  for (const its of compared) {
    const { table, sums } = its
    const unequal = unequalKeys(its)
    if (unequal.length === 0 || table.grows) continue
    const some = unequal.length <= MAX_KEYS && table.key ? { keys: unequal } : {}
    const again = await readBoth(options, { table, columns: getColumns(columns, table), ...some })
    for (const key of unequal) {
      const now = again.get(key) ?? ([NO_ROWS, NO_ROWS] as const)
      if (JSON.stringify(now) !== JSON.stringify(sums.get(key))) hasChanged = true
      sums.set(key, now)
    }
  }
  return hasChanged
}

const getColumns = ({ common }: Columns, { name }: ComparedTable): readonly string[] =>
  common.get(name) ?? []

/** Reads differences again until they disappear, or until they stay although both generations have passed them. */
const rereadUntilStable = async (
  options: CompareOptions,
  columns: Columns,
  compared: readonly Compared[],
): Promise<void> => {
  const untilMs = options.clock.now() + STABLE_BUDGET_MS
  while (options.clock.now() < untilMs) {
    const isMoving = compared.some((its) => !its.table.grows && unequalKeys(its).length > 0)
    if (!isMoving) return
    if (!(await waitForBoth(options))) return
    if (!(await rereadUnequal(options, columns, compared))) return
  }
}

const totalRows = ({ sums }: Compared, side: 0 | 1): number =>
  [...sums.values()].reduce((total, pair) => total + pair[side].rows, 0)

const tableComparison = (compared: Compared): TableComparison => ({
  table: compared.table.name,
  rows: [totalRows(compared, 0), totalRows(compared, 1)],
  differing: unequalKeys(compared).length,
})

const toDifferences = (compared: Compared): Difference[] =>
  unequalKeys(compared).map((key) => {
    const [one, other] = compared.sums.get(key) ?? [NO_ROWS, NO_ROWS]
    return { table: compared.table.name, key, rows: [one.rows, other.rows] }
  })

/** Later rows may be in only one of them yet. */
const computeEnd = ([one, other]: Pair<Position>): bigint =>
  toPosition({ height: Math.min(one.height, other.height) + 1, index: 0 })

export const compareGenerations = async (options: CompareOptions): Promise<Comparison> => {
  const { store, control, pair, signal } = options
  const columns = await readColumns(store, { control, pair })
  const at = await positions(options)
  const compared: Compared[] = []
  for (const table of COMPARED) {
    if (signal.aborted) throw abortedError(signal)
    const request = { table, columns: getColumns(columns, table), before: computeEnd(at) }
    compared.push({ table, sums: await readBoth(options, request) })
  }
  await rereadUntilStable(options, columns, compared)
  const differences = compared.flatMap(toDifferences)
  const differingTallies = differences
    .filter(({ table }) => table === 'tallies')
    .map(({ key }) => key)
  const databases = [toDatabaseName(pair[0], control), toDatabaseName(pair[1], control)] as const
  return {
    generations: pair,
    height: Math.min(at[0].height, at[1].height),
    equal: differences.length === 0,
    tables: compared.map(tableComparison),
    differences,
    verdicts: [await readVerdicts(store, databases[0]), await readVerdicts(store, databases[1])],
    tallies: await readTallyDifferences(store, databases, differingTallies),
    notCompared: columns.others,
  }
}
