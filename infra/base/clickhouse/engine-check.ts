// Checks the files of the embedded ClickHouse at the start: the engine itself checks data only when it reads it.
import { AppError } from '../runtime/errors.ts'
import { createStore, type Store } from './client.ts'

/** A larger store is only checked when it is read: the check must not delay a start. */
const MAX_CHECKED_BYTES = 512 * 1024 * 1024
const CHECK_TIMEOUT_MS = 60_000

type CheckRow = {
  database: string
  table: string
  part_path: string
  is_passed: number
  message: string
}

const readPartPath = async (store: Store, row: CheckRow): Promise<string> => {
  const [part] = await store.select<{ path: string }>(
    `SELECT path FROM system.parts
     WHERE database = {database:String} AND table = {table:String} AND name = {part_path:String}`,
    row,
  )
  return part?.path ?? `${row.database}.${row.table} ${row.part_path}`
}

/** Throws `DATA_DIR_DAMAGED` with the first part that does not match its checksums. */
export const checkParts = async (
  access: { url: string; username: string; password: string },
  storeDir: string,
): Promise<void> => {
  const store = createStore(access)
  try {
    const [size] = await store.select<{ bytes: string }>(
      'SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE active',
    )
    const bytes = Number(size?.bytes ?? 0)
    if (bytes === 0 || bytes > MAX_CHECKED_BYTES) return
    const rows = await store.select<CheckRow>(
      'CHECK ALL TABLES',
      {},
      {
        timeoutMs: CHECK_TIMEOUT_MS,
        settings: { check_query_single_value_result: 0 },
      },
    )
    const failed = rows.find((row) => !row.is_passed)
    if (!failed) return
    throw new AppError(
      'DATA_DIR_DAMAGED',
      `the read store is damaged: ${await readPartPath(store, failed)}: ${failed.message}. Remove the directory ${storeDir}; the next start rebuilds it from the event log`,
      { expose: true },
    )
  } finally {
    await store.close()
  }
}
