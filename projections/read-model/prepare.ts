// Prepares a store for the services: databases and tables of every generation that has any, as they are declared, and views on the active one.
import { checkLogin, refuseUnfitCluster } from '../../infra/base/clickhouse/check-server.ts'
import { createStore, type Store } from '../../infra/base/clickhouse/client.ts'
import type { StoreAccess } from '../../infra/base/clickhouse/settings.ts'
import { readViews } from '../contract/analyst-views.ts'
import { CONTROL_DATABASE, toDatabaseName } from '../contract/database.ts'
import { findActive, type Generation, readGenerations } from '../contract/generations.ts'
import { createStatements, type Table } from '../contract/table/define-table.ts'
import { generations as generationList } from '../contract/tables/positions.ts'
import { TABLES } from '../contract/tables.ts'

const FIRST_GENERATION = 1

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
    ...createStatements(generationList as Table, control),
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

/** Generations with tables; none if there is no list yet. */
export async function readPresent(store: Store, control: string): Promise<Generation[]> {
  const lists = await store.select(
    `SELECT 1 FROM system.tables WHERE database = {control:String} AND name = 'generations'`,
    { control },
  )
  if (lists.length === 0) return []
  const generations = await readGenerations(store, control)
  return generations.filter(({ state }) => state !== 'failed' && state !== 'dropped')
}

/**
 * Points the views of analysts to one generation, at every start and after every switch. `control`: their own database. Each view is
 * replaced atomically: a reader gets the old or the new one. Views run with the rights of the user of `store`, so an analyst needs none on
 * the tables.
 */
export const pointViews = async (
  store: Store,
  { control, generation }: { control: string; generation: number },
): Promise<void> => {
  const filled = readViews()
    .replaceAll('{control}', control)
    .replaceAll('{database}', toDatabaseName(generation, control))
    .replaceAll('{generation}', String(generation))
  // Each statement ends with a semicolon at the end of a line.
  for (const statement of filled.split(/;\s*$/m)) {
    if (statement.trim() !== '') await store.command(statement.trim())
  }
}

/** Creates the missing parts; a second run changes nothing. */
export const prepareReadModel = async (store: Store, control: string): Promise<void> => {
  const present = await readPresent(store, control)
  const numbers = present.length > 0 ? present.map((each) => each.generation) : [FIRST_GENERATION]
  for (const generation of numbers) await createTables(store, { control, generation })
  await pointViews(store, {
    control,
    generation: findActive(present)?.generation ?? FIRST_GENERATION,
  })
}

export const prepareStore = async (access: StoreAccess): Promise<void> => {
  const store = createStore(access)
  try {
    await checkLogin(store, access)
    if (access.cluster !== undefined) await refuseUnfitCluster(store, access.cluster)
    await prepareReadModel(store, CONTROL_DATABASE)
  } finally {
    await store.close()
  }
}
