// How a command reaches the read store: with the access of whoever runs in the data directory.
import { createStore, type Store } from '../clickhouse/client.ts'
import { readRunFile } from '../data-dir.ts'
import type { Environment } from '../runtime/config.ts'
import { AppError } from '../runtime/errors.ts'
import { readMachineConfig } from '../supervisor/settings.ts'

export type StoreAddress = { url: string; username: string; password: string }

/** Undefined where nobody runs in the data directory. */
export const findStore = (env: Environment): StoreAddress | undefined =>
  readRunFile(readMachineConfig(env).dataDir)?.clickhouse

/** The caller closes it. */
export const openStore = (env: Environment): Store => {
  const address = findStore(env)
  if (address) return createStore(address)
  throw new AppError(
    'EVIDENCE_UNAVAILABLE',
    `no Rollcall runs in ${readMachineConfig(env).dataDir}: its ClickHouse runs only while it does. Start it, or set DATA_DIR`,
    { expose: true },
  )
}
