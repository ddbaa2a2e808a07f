// Creates the databases and tables of a generation, as they are declared.
import type { Store } from '../../infra/base/clickhouse/client.ts'
import { toDatabaseName } from '../contract/database.ts'
import { createStatements, type Table } from '../contract/table/define-table.ts'
import { generations } from '../contract/tables/positions.ts'
import { TABLES } from '../contract/tables.ts'

/**
 * Changes of tables that a released version created, for each generation, with `{database}` and `{on_cluster}`. They run at every
 * start, so each must be harmless to repeat, such as `ADD COLUMN IF NOT EXISTS`.
 */
const CHANGES: readonly string[] = []

const DATABASE_NAME = /^[a-z][a-z0-9_]{0,62}$/

export type TablesOptions = {
  /** The database with the list of generations; theirs are `<control>_<n>`. */
  control: string
  generation: number
  /** Replaced by tests. */
  changes?: readonly string[]
}

/** A second call changes nothing, and one after an interruption creates the rest. */
export async function createTables(store: Store, options: TablesOptions): Promise<void> {
  const { control, generation, changes = CHANGES } = options
  const database = toDatabaseName(generation, control)
  for (const name of [control, database]) {
    if (!DATABASE_NAME.test(name)) throw new RangeError(`${name} is not a valid database name`)
    await store.command(`CREATE DATABASE IF NOT EXISTS ${name}{on_cluster} ENGINE = Atomic`)
  }
  const statements = [
    ...createStatements(generations as Table, control),
    ...Object.values<Table>(TABLES).flatMap((table) => createStatements(table, database)),
    ...changes.map((change) => change.replaceAll('{database}', database)),
  ]
  for (const statement of statements) await store.command(statement)
}

/** What the tables of a generation lack of the declared ones: `table.column`. */
export async function findMissingColumns(store: Store, database: string): Promise<string[]> {
  const rows = await store.select<{ table: string; name: string; type: string }>(
    'SELECT table, name, type FROM system.columns WHERE database = {database:String}',
    { database },
  )
  const found = new Set(rows.map(({ table, name, type }) => `${table}.${name} ${type}`))
  return Object.values<Table>(TABLES).flatMap(({ name, columns }) =>
    columns
      .filter(({ stored, sql }) => !found.has(`${name}.${stored} ${sql}`))
      .map(({ stored }) => `${name}.${stored}`),
  )
}
