// Creates the tables of a database again on every replica that could not create them with the statements of the migrations.
import type { Store } from './client.ts'

/** As the store shows it, with the path of a replica, which the store's own rewriting for a cluster adds again. */
const REPLICATED = /ENGINE = Replicated(\w*MergeTree)\('[^']*', '[^']*'(?:, )?/

const CREATE = /^CREATE (TABLE|MATERIALIZED VIEW) /

/** A `CREATE` as the store shows it → one that does nothing where the table exists, for `Store.command`. Pure. */
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
