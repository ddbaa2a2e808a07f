// Creates the tables of a database again on every replica that could not create them with the statements of the migrations.
import type { Store } from './client.ts'

/** Matches the replica path in a `CREATE` from the store; `Store.command` adds the path again for a cluster. */
const REPLICATED = /ENGINE = Replicated(\w*MergeTree)\('[^']*', '[^']*'(?:, )?/

const CREATE = /^CREATE (TABLE|MATERIALIZED VIEW) /

/** Converts a `CREATE` from the store to one for `Store.command` that does nothing if the table exists. Pure. */
export const repeatableCreation = (shown: string): string =>
  shown.replace(CREATE, 'CREATE $1 IF NOT EXISTS ').replace(REPLICATED, 'ENGINE = $1(')

/**
 * A replica that was unavailable while a table was created and altered refuses the `CREATE` when it returns, because
 * Keeper has the altered columns. These later statements in the queue create the table in its current form.
 */
export const repeatCreation = async (store: Store, database: string): Promise<void> => {
  const rows = await store.select<{ shown: string }>(
    `SELECT create_table_query AS shown FROM system.tables
     WHERE database = {database:String} AND (engine LIKE 'Replicated%' OR engine = 'MaterializedView')
     ORDER BY engine = 'MaterializedView', name`,
    { database },
  )
  for (const { shown } of rows) await store.command(repeatableCreation(shown))
}
