// Applies `projections/migrations` to the tables of the read model, each file once per generation.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Store } from '../../infra/base/clickhouse/client.ts'
import { fillClusterVariables } from '../../infra/base/clickhouse/cluster.ts'
import { AppError } from '../../infra/base/runtime/errors.ts'
import { locateFile } from '../../infra/base/runtime/product-files.ts'

export type MigrateOptions = {
  /** The database with the list of generations; theirs are `<control>_<n>`. */
  control: string
  generation: number
  /** Folder of the files; by default the project's own. */
  directory?: string
}

export type Migration = { name: string; sql: string; checksum: string }

const FILE_NAME = /^\d{4}_[a-z0-9_]+\.sql$/
const DATABASE_NAME = /^[a-z][a-z0-9_]{0,62}$/

export const readMigrations = (directory = locateFile('projections/migrations')): Migration[] =>
  readdirSync(directory)
    .filter((name) => FILE_NAME.test(name))
    .sort()
    .map((name) => {
      const sql = readFileSync(join(directory, name), 'utf8')
      // Of the statements for one server: what every database has stored, in a cluster too.
      const checksum = createHash('sha256').update(fillClusterVariables(sql)).digest('hex')
      return { name, sql, checksum }
    })

/** The statements of a file for one generation. Each ends with a semicolon at the end of a line. */
export const splitStatements = (
  sql: string,
  { control, generation }: { control: string; generation: number },
): string[] =>
  sql
    .replaceAll('{control}', control)
    .replaceAll('{database}', `${control}_${generation}`)
    .replaceAll('{generation}', String(generation))
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')

const createDatabases = async (store: Store, control: string, database: string) => {
  for (const name of [control, database]) {
    if (!DATABASE_NAME.test(name)) throw new RangeError(`${name} is not a valid database name`)
    await store.command(`CREATE DATABASE IF NOT EXISTS ${name}{on_cluster} ENGINE = Atomic`)
  }
  await store.command(
    `CREATE TABLE IF NOT EXISTS ${control}.migrations{on_cluster}
    (
        generation UInt32 COMMENT 'Generation it was applied to',
        name String COMMENT 'Name of the file',
        checksum String COMMENT 'SHA-256 of the file',
        applied_at DateTime64(3, 'UTC') DEFAULT now64(3)
    )
    ENGINE = {engine}(applied_at)
    ORDER BY (generation, name)
    COMMENT 'Migrations applied to each generation of the read model'`,
  )
}

/** The checksums of the applied migrations by name. */
export const readApplied = async (
  store: Store,
  { control, generation }: { control: string; generation: number },
): Promise<ReadonlyMap<string, string>> => {
  const rows = await store.select<{ name: string; checksum: string }>(
    `SELECT name, checksum FROM ${control}.migrations FINAL WHERE generation = {generation:UInt32}`,
    { generation },
  )
  return new Map(rows.map(({ name, checksum }) => [name, checksum]))
}

/** Names of the migrations that changed after they were applied. */
export const findChanged = (
  migrations: readonly Migration[],
  applied: ReadonlyMap<string, string>,
): string[] =>
  migrations
    .filter(({ name, checksum }) => applied.has(name) && applied.get(name) !== checksum)
    .map(({ name }) => name)

const refuseChanged = (names: readonly string[]): void => {
  if (names.length === 0) return
  throw new AppError(
    'STORE_REFUSED',
    `migrations changed after they were applied: ${names.join(', ')}. Restore these files and add a new one, or rebuild into a new generation`,
  )
}

/**
 * A replica that was unavailable while a table was created and altered refuses the `CREATE` when it returns, because
 * Keeper has the altered columns. These later statements in the queue create the table in its current form.
 */
const repeatCreation = async (store: Store, database: string): Promise<void> => {
  const rows = await store.select<{ shown: string }>(
    `SELECT create_table_query AS shown FROM system.tables
     WHERE database = {database:String} AND (engine LIKE 'Replicated%' OR engine = 'MaterializedView')
     ORDER BY engine = 'MaterializedView', name`,
    { database },
  )
  const start = /^CREATE (TABLE|MATERIALIZED VIEW) (\S+)/
  for (const { shown } of rows) {
    await store.command(shown.replace(start, 'CREATE $1 IF NOT EXISTS $2{on_cluster}'))
  }
}

/**
 * Creates the databases and applies new migrations; returns the names of their files. Every statement is
 * idempotent (`IF NOT EXISTS`), so an interrupted migration runs again.
 */
export const migrate = async (
  store: Store,
  { control, generation, directory }: MigrateOptions,
): Promise<string[]> => {
  const database = `${control}_${generation}`
  await createDatabases(store, control, database)
  const migrations = readMigrations(directory)
  const applied = await readApplied(store, { control, generation })
  refuseChanged(findChanged(migrations, applied))
  const missing = migrations.filter(({ name }) => !applied.has(name))
  for (const { name, sql, checksum } of missing) {
    for (const statement of splitStatements(sql, { control, generation })) {
      await store.command(statement)
    }
    await store.insert(`${control}.migrations`, [{ generation, name, checksum }])
  }
  if (store.cluster !== undefined && missing.length > 0) {
    for (const name of [control, database]) await repeatCreation(store, name)
  }
  return missing.map(({ name }) => name)
}
