// Brings a store to what the services expect of it: tables of the active generation, views that point at it.
import type { Logger } from '../runtime/logger.ts'
import { pointViews, readActiveGeneration } from './analyst-views.ts'
import { createStore } from './client.ts'
import { refuseUnfitCluster } from './cluster-check.ts'
import { migrate } from './migrate.ts'
import type { StoreAccess } from './settings.ts'

/** Where the generations are named; further ones than the first are added by a rebuild. */
export const CONTROL = 'rollcall'
const FIRST_GENERATION = 1

/** Makes what is missing; run again it changes nothing. */
export const prepareStore = async (access: StoreAccess, log: Logger): Promise<void> => {
  const store = createStore({ ...access, log })
  try {
    if (access.cluster !== undefined) await refuseUnfitCluster(store, access.cluster)
    await migrate(store, { control: CONTROL, generation: FIRST_GENERATION })
    const generation = (await readActiveGeneration(store, CONTROL)) ?? FIRST_GENERATION
    if (generation !== FIRST_GENERATION) await migrate(store, { control: CONTROL, generation })
    await pointViews(store, { control: CONTROL, generation })
  } finally {
    await store.close()
  }
}
