// Brings a store to what the services expect of it: tables of every generation that has any, views that point at the active one.
import type { Logger } from '../runtime/logger.ts'
import { pointViews, readActiveGeneration } from './analyst-views.ts'
import { checkLogin } from './check-login.ts'
import { createStore, type Store } from './client.ts'
import { refuseUnfitCluster } from './cluster-check.ts'
import { migrate } from './migrate.ts'
import type { StoreAccess } from './settings.ts'

/** Where the generations are named; further ones than the first are added by a rebuild. */
export const CONTROL = 'rollcall'
const FIRST_GENERATION = 1

/** Generations that have tables; none where there is no list yet. */
const readPresent = async (store: Store, control: string): Promise<number[]> => {
  const lists = await store.select(
    `SELECT 1 FROM system.tables WHERE database = {control:String} AND name = 'generations'`,
    { control },
  )
  if (lists.length === 0) return []
  const rows = await store.select<{ generation: number }>(
    `SELECT generation FROM ${control}.generations FINAL
     WHERE state IN ('building', 'active', 'retired') ORDER BY generation`,
  )
  return rows.map(({ generation }) => generation)
}

/** Makes what is missing; run again it changes nothing. */
export const prepareReadModel = async (store: Store, control: string): Promise<void> => {
  const present = await readPresent(store, control)
  for (const generation of present.length > 0 ? present : [FIRST_GENERATION]) {
    await migrate(store, { control, generation })
  }
  const generation = (await readActiveGeneration(store, control)) ?? FIRST_GENERATION
  await pointViews(store, { control, generation })
}

export const prepareStore = async (access: StoreAccess, log: Logger): Promise<void> => {
  const store = createStore({ ...access, log })
  try {
    await checkLogin(store, access)
    if (access.cluster !== undefined) await refuseUnfitCluster(store, access.cluster)
    await prepareReadModel(store, CONTROL)
  } finally {
    await store.close()
  }
}
