// Compares two generations at one height: a checksum over every column, for each key of each table.
import type { Store } from '../../infra/base/clickhouse/client.ts'
import type { Clock } from '../../infra/base/runtime/clock.ts'
import { toPosition } from '../../ingest/contract/envelope.ts'
import { readCheckpoint } from '../contract/checkpoints.ts'
import { toDatabaseName } from '../contract/database.ts'
import type { StoredTable, Table } from '../contract/table/define-table.ts'
import { TABLES } from '../contract/tables.ts'

/** What differs in one table: the number of its keys, and the first and the last of them. */
export type Difference = { table: string; keys: number; first: string; last: string }

export type Comparison = {
  /** The served generation, then the other one. */
  generations: readonly [number, number]
  equal: boolean
  differences: readonly Difference[]
}

export type CompareOptions = {
  store: Store
  control: string
  pair: readonly [number, number]
  clock: Clock
  signal: AbortSignal
}

/** A table or a copy of it. */
type Compared = { table: Table; name: string }

/** All except `checkpoints`, which has clock times. */
const COMPARED: readonly Compared[] = Object.values<Table>(TABLES)
  .filter(({ name }) => name !== TABLES.checkpoints.name)
  .flatMap((table) =>
    [table, ...Object.values<StoredTable>(table.copies)].map(({ name }) => ({ table, name })),
  )

/** Large tables take time on a single core: readers have priority. */
const READ = { timeoutMs: 30 * 60_000, settings: { max_threads: 1 } }
const POLL_MS = 200
const BUDGET_MS = 60_000
/** That many keys are no rows in motion. */
const MAX_KEYS = 1_000

/** `keys` counts all, also beyond the limit. */
type Unequal = { key: string; newest: string; keys: string }

/** The keys with other rows in one of both, by the first column of the key. */
const readUnequal = (
  { store, control, pair, signal }: CompareOptions,
  { table, name }: Compared,
  keys: readonly string[] | undefined,
): Promise<Unequal[]> => {
  const [key] = table.key
  const where = keys ? `WHERE toString(${key}) IN {keys:Array(String)}` : ''
  const columns = table.columns.map(({ stored }) => `\`${stored}\``).join(', ')
  const sides = pair.map(
    (generation, side) =>
      // A tuple: a direct NULL argument would make the whole hash NULL.
      `SELECT ${key} AS at, ${table.version ?? 'position'} AS newest, cityHash64(tuple(${columns})) AS sum, ${side} AS side
       FROM ${toDatabaseName(generation, control)}.${name} FINAL ${where}`,
  )
  return store.select<Unequal>(
    `SELECT toString(at) AS key, max(newest) AS newest, count() OVER () AS keys
     FROM (${sides.join(' UNION ALL ')})
     GROUP BY at
     HAVING sumIf(sum, side = 0) != sumIf(sum, side = 1) OR countIf(side = 0) != countIf(side = 1)
     ORDER BY at LIMIT ${MAX_KEYS}`,
    keys ? { keys } : {},
    { ...READ, signal },
  )
}

/** The position after the height that both have completed. */
const readEnd = async ({ store, control, pair }: CompareOptions): Promise<bigint> => {
  const heights = pair.map(async (generation) => {
    const checkpoint = await readCheckpoint(store, toDatabaseName(generation, control))
    return checkpoint?.height ?? 0
  })
  return toPosition({ height: Math.min(...(await Promise.all(heights))) + 1, index: 0 })
}

/** A key without rows after that end differs. The others may be complete in one of both only: they are read again. */
const compareTable = async (
  options: CompareOptions,
  compared: Compared,
): Promise<readonly Difference[]> => {
  const { clock, signal } = options
  const untilMs = clock.now() + BUDGET_MS
  let keys: string[] | undefined
  for (;;) {
    const end = await readEnd(options)
    const found = await readUnequal(options, compared, keys)
    const [first] = found
    if (!first) return []
    const isMoving = found.length < MAX_KEYS && found.every(({ newest }) => BigInt(newest) >= end)
    if (!isMoving || clock.now() > untilMs) {
      const last = found.at(-1)?.key ?? first.key
      return [{ table: compared.name, keys: Number(first.keys), first: first.key, last }]
    }
    keys = found.map(({ key }) => key)
    await clock.sleep(POLL_MS, signal)
  }
}

export async function compareGenerations(options: CompareOptions): Promise<Comparison> {
  const differences: Difference[] = []
  for (const compared of COMPARED) differences.push(...(await compareTable(options, compared)))
  return { generations: options.pair, equal: differences.length === 0, differences }
}
