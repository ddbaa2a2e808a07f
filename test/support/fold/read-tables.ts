// Reads the tables of a read model in a real ClickHouse, to compare them with tables folded in memory.
import type { Store } from '../../../infra/base/clickhouse/client.ts'
import { toDatabaseName } from '../../../projections/contract/database.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import { createTables } from '../../../projections/read-model/prepare.ts'

export type Tables = Record<string, unknown[]>

/** Without values of the wall clock. */
const { checkpoints: _, ...COMPARED } = TABLES

/** ClickHouse prints decimals without trailing zeros, but shares have them. */
export const normalised = (tables: Tables): Tables =>
  JSON.parse(
    JSON.stringify(tables, (key, value: unknown) =>
      key === 'delegator_shares' && typeof value === 'string' && value.includes('.')
        ? value.replace(/\.?0+$/, '')
        : value,
    ),
  )

/** The final rows of the control database's first generation, normalized. */
export const readTables = async (store: Store, control: string): Promise<Tables> => {
  const tables: Tables = {}
  for (const { name, key } of Object.values(COMPARED)) {
    const from = `${toDatabaseName(1, control)}.${name}`
    tables[name] = await store.select(`SELECT * FROM ${from} FINAL ORDER BY ${key.join(', ')}`)
  }
  return normalised(tables)
}

export const dropTables = async (store: Store, control: string): Promise<void> => {
  for (const name of [toDatabaseName(1, control), control]) {
    await store.command(`DROP DATABASE IF EXISTS ${name} SYNC`)
  }
}

/** Removes all rows and creates empty tables. */
export const freshTables = async (store: Store, control: string): Promise<void> => {
  await dropTables(store, control)
  await createTables(store, { control, generation: 1 })
}
