// Opens SQLite files: the embedded log, and the lock of a data directory. The only importer of `libsql`.
// A process must not open such a file by other means: when it closes it, the locks of SQLite on it are lost (fcntl(2)).
import { createRequire } from 'node:module'
import type { Database as Libsql } from 'libsql'

export type Database = Libsql

/** Result codes of SQLite; the lowest byte of an extended one. */
const ERROR = 1
const BUSY = 5
const LOCKED = 6
const CORRUPT = 11
const FULL = 13
const NOT_A_DATABASE = 26
/** Extended: the file ends before the page. */
const SHORT_READ = 522
/** Extended: failures to write, to flush, to truncate, and to enlarge the shared memory. */
const FAILED_WRITES = [778, 1034, 1546, 4874]

const readCode = (error: unknown): number => {
  const { rawCode } = (error ?? {}) as { rawCode?: unknown }
  return typeof rawCode === 'number' ? rawCode : 0
}

const hasResult = (error: unknown, ...codes: number[]): boolean =>
  codes.includes(readCode(error) & 0xff)

/** Whether the file is not what was written. Statements are fixed, so one that SQLite refuses has found another schema. */
export function isDamage(error: unknown): boolean {
  return readCode(error) === SHORT_READ || hasResult(error, CORRUPT, NOT_A_DATABASE, ERROR)
}

export function isSqliteError(error: unknown): error is Error {
  return readCode(error) !== 0
}

/** Whether there is no room for a write. SQLite reports a limit on the size of a file, and a quota, as a failed write. */
export function isDiskFull(error: unknown): boolean {
  return hasResult(error, FULL) || FAILED_WRITES.includes(readCode(error))
}

/** Whether another connection has a lock. No call waits for one: it would block the event loop. */
export function isBusy(error: unknown): boolean {
  return hasResult(error, BUSY, LOCKED)
}

/** Creates the file if it is absent. */
export function openDatabase(file: string): Database {
  // Loaded on demand: with Kafka and a ClickHouse server, the native module need not be installed.
  const Database = createRequire(import.meta.url)('libsql') as typeof import('libsql')
  return new Database(file, { timeout: 0 })
}
