// Points the analysts' views to one generation of the read model, at every start and after every switch. Stores no data.
import { readFileSync } from 'node:fs'
import type { Store } from '../../infra/clickhouse/client.ts'
import { splitStatements } from '../../infra/clickhouse/sql-statements.ts'
import { fillPlaceholders } from './migrate.ts'

export type PointViewsOptions = {
  /** The database of the views. */
  control: string
  generation: number
}

const FILE = new URL('../migrations/analyst-views.sql', import.meta.url)
const VIEW_NAME = /^CREATE OR REPLACE VIEW \{control\}\.(v_[a-z_]+)$/gm

const dropFormer = async (store: Store, control: string, names: readonly string[]) => {
  const former = await store.select<{ name: string }>(
    `SELECT name FROM system.tables WHERE database = {control:String} AND engine = 'View'
     AND startsWith(name, 'v_') AND NOT has({names:Array(String)}, name)`,
    { control, names },
  )
  for (const { name } of former) await store.command(`DROP VIEW IF EXISTS ${control}.${name}`)
}

/**
 * Each view is replaced atomically: a reader gets the old or the new one. Views run with the rights of the
 * user of `store`, so an analyst needs none on the tables.
 */
export const pointViews = async (
  store: Store,
  { control, generation }: PointViewsOptions,
): Promise<void> => {
  const sql = readFileSync(FILE, 'utf8')
  const names = [...sql.matchAll(VIEW_NAME)].map(([, name = '']) => name)
  for (const statement of splitStatements(fillPlaceholders(sql, { control, generation }))) {
    await store.command(statement)
  }
  await dropFormer(store, control, names)
}
