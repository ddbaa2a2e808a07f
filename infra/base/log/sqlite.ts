// Opens SQLite files: the embedded log, and the lock of a data directory. The only importer of `libsql`.
// A process must not open such a file by other means: when it closes it, the locks of SQLite on it are lost (fcntl(2)).
import { createRequire } from 'node:module'
import type { Database as Libsql } from 'libsql'

export type Database = Libsql

/** Result codes of SQLite; the lowest byte of an extended one. */
const ERROR = 1
const BUSY = 5
const LOCKED = 6
const IO = 10
const CORRUPT = 11
const FULL = 13
const NOT_A_DATABASE = 26
/** Extended: the file ends before the page. */
const SHORT_READ = 522

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

export function isDiskFull(error: unknown): boolean {
  return hasResult(error, FULL)
}

export function isDiskError(error: unknown): boolean {
  return hasResult(error, IO)
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
