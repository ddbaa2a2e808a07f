// Prepares a store for the services: tables of every generation that has any, and views on the active one.
import { checkLogin, refuseUnfitCluster } from '../../infra/base/clickhouse/check-server.ts'
import { createStore, type Store } from '../../infra/base/clickhouse/client.ts'
import type { StoreAccess } from '../../infra/base/clickhouse/settings.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { readViews } from '../contract/analyst-views.ts'
import { CONTROL_DATABASE, toDatabaseName } from '../contract/database.ts'
import { findActive, type Generation, readGenerations } from '../contract/generations.ts'
import { createTables } from './create-tables.ts'

const FIRST_GENERATION = 1

/** Generations with tables; none if there is no list yet. */
const readPresent = async (store: Store, control: string): Promise<Generation[]> => {
  const lists = await store.select(
    `SELECT 1 FROM system.tables WHERE database = {control:String} AND name = 'generations'`,
    { control },
  )
  if (lists.length === 0) return []
  const generations = await readGenerations(store, control)
  return generations.filter(({ state }) => state !== 'failed' && state !== 'dropped')
}

/**
 * Points the views of analysts to one generation, at every start and after every switch. `control`: their own database. Each view is replaced atomically: a reader gets the old or the new one. Views run with the rights of the
 * user of `store`, so an analyst needs none on the tables.
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

export const prepareStore = async (access: StoreAccess, logger: Logger): Promise<void> => {
  const store = createStore({ ...access, logger })
  try {
    await checkLogin(store, access)
    if (access.cluster !== undefined) await refuseUnfitCluster(store, access.cluster)
    await prepareReadModel(store, CONTROL_DATABASE)
  } finally {
    await store.close()
  }
}
