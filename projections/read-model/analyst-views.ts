// Points the analysts' views to one generation of the read model, at every start and after every switch. Stores no data.
import type { Store } from '../../infra/base/clickhouse/client.ts'
import { readViews } from '../contract/analyst-views.ts'
import { toDatabaseName } from '../contract/database.ts'

export type PointViewsOptions = {
  /** The database of the views. */
  control: string
  generation: number
}

/**
 * Each view is replaced atomically: a reader gets the old or the new one. Views run with the rights of the
 * user of `store`, so an analyst needs none on the tables.
 */
export const pointViews = async (
  store: Store,
  { control, generation }: PointViewsOptions,
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
