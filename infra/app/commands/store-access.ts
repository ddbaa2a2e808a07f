// Opens the store for a command: CLICKHOUSE_URL, else the store of the Rollcall that runs in the data directory.
import { createStore, type Store } from '../../base/clickhouse/client.ts'
import { readStoreAccess, type StoreAccess } from '../../base/clickhouse/settings.ts'
import type { Environment } from '../../base/runtime/config.ts'
import { AppError } from '../../base/runtime/errors.ts'
import { describeNotServing, readRunFile } from '../data-dir/data-dir.ts'
import { readMachineConfig } from '../machine-settings.ts'

const resolveStoreAccess = (env: Environment): StoreAccess => {
  const own = readStoreAccess(env)
  if (own) return own
  const { dataDir } = readMachineConfig(env)
  const running = readRunFile(dataDir)
  if (running) return running.clickhouse
  throw new AppError(
    'EVIDENCE_UNAVAILABLE',
    `${describeNotServing(dataDir)}. Or set DATA_DIR or CLICKHOUSE_URL`,
    { expose: true },
  )
}

/** Runs `work` with the store, and always closes it. */
export const withStore = async <T>(
  env: Environment,
  work: (store: Store) => Promise<T>,
): Promise<T> => {
  const store = createStore(resolveStoreAccess(env))
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}
