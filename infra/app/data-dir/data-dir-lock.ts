// Locks a data directory for one process: an exclusive transaction on an empty file of SQLite.
// The kernel releases it when the process ends, however it ends, also for a process of another container.
// The file is never removed: another process may be waiting for its lock.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, isBusy, openDatabase } from '../../base/log/sqlite.ts'
import { AppError, hasCode } from '../../base/runtime/errors.ts'
import { writeFileAtomically } from '../../base/runtime/files.ts'
import { policies } from '../../base/runtime/policies.ts'
import { retry } from '../../base/runtime/retry.ts'

export type Holder = { pid: number; since: string }

const LOCK_FILE = 'lock'
const HOLDER_FILE = 'holder.json'
/** Nothing is written, so there is no journal beside the file. */
const LOCK = 'PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE'

/** Whether a start that was interrupted before it wrote the format leaves a file of this name. */
export function isLockFile(name: string): boolean {
  return name === LOCK_FILE || name === HOLDER_FILE || name.startsWith(`.${HOLDER_FILE}`)
}

const isHolder = (value: unknown): value is Holder => {
  const { pid, since } = (value ?? {}) as Partial<Holder>
  return Number.isSafeInteger(pid) && typeof since === 'string'
}

const readHolderFile = (directory: string): Holder | undefined => {
  try {
    const value: unknown = JSON.parse(readFileSync(join(directory, HOLDER_FILE), 'utf8'))
    return isHolder(value) ? value : undefined
  } catch {
    // The holder is about to write or remove it.
    return undefined
  }
}

const unusable = (file: string, error: unknown): AppError =>
  new AppError(
    'DATA_DIR_DAMAGED',
    `the data directory cannot be locked: ${file}: ${(error as Error).message}. Remove the file if no Rollcall runs here; the disk must have file locks`,
    { expose: true, cause: error },
  )

const refused = (directory: string): AppError => {
  const holder = readHolderFile(directory)
  const text = holder ? `process ${holder.pid} since ${holder.since}` : 'another process'
  return new AppError(
    'DATA_DIR_LOCKED',
    `${directory} is in use by ${text}. Stop it, or set DATA_DIR to another directory`,
    { expose: true },
  )
}

/** Runs one statement. False if another process has the lock. */
const tryStatement = (db: Database, file: string, sql: string): boolean => {
  try {
    db.exec(sql)
    return true
  } catch (error) {
    if (isBusy(error)) return false
    throw unusable(file, error)
  }
}

/** The process that uses the directory, if any. Changes nothing. */
export function readHolder(directory: string): Holder | undefined {
  const file = join(directory, LOCK_FILE)
  if (!existsSync(file)) return undefined
  const db = openDatabase(file)
  try {
    const isFree = tryStatement(db, file, 'SELECT count(*) FROM sqlite_schema')
    return isFree ? undefined : readHolderFile(directory)
  } finally {
    db.close()
  }
}

/** Returns a function that releases the lock. Throws `DATA_DIR_LOCKED`, which names the holder. */
export async function lockDirectory(directory: string): Promise<() => void> {
  const file = join(directory, LOCK_FILE)
  // Not by SQLite, so that an error of the disk has the name that the system gives it.
  if (!existsSync(file)) writeFileSync(file, '', { flag: 'a', mode: 0o600 })
  const db = openDatabase(file)
  const lock = async () => {
    if (!tryStatement(db, file, LOCK)) throw refused(directory)
  }
  try {
    await retry(lock, {
      ...policies.dataDirLock,
      // A command that looks for the holder has the lock for a moment.
      when: (error) => hasCode(error, 'DATA_DIR_LOCKED'),
      signal: new AbortController().signal,
    })
    const holder: Holder = { pid: process.pid, since: new Date().toISOString() }
    writeFileAtomically(join(directory, HOLDER_FILE), `${JSON.stringify(holder)}\n`)
  } catch (error) {
    db.close()
    throw error
  }
  return () => {
    rmSync(join(directory, HOLDER_FILE), { force: true })
    db.exec('ROLLBACK')
    db.close()
  }
}
