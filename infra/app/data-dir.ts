// The data directory of one machine: its layout, its format, its lock, and the process that runs in it.
// The lock is an exclusive transaction on an empty file of SQLite. The kernel releases it when the process ends, however it ends, also
// for a process of another container. The file is never removed: another process may be waiting for its lock.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Database, isBusy, openDatabase } from '../base/log/sqlite.ts'
import { AppError, hasCode } from '../base/runtime/errors.ts'
import { makeDirectory, writeFileAtomically } from '../base/runtime/files.ts'
import { policies } from '../base/runtime/policies.ts'
import { retry } from '../base/runtime/retry.ts'

type Holder = { pid: number; since: string }

/** Addresses of the supervisor that runs in a directory, and of its store. */
export type RunInfo = {
  pid: number
  url: string
  operatorsUrl: string
  clickhouse: { url: string; username: string; password: string }
  /** A user of the same ClickHouse who may only read the documented views. */
  analyst?: { username: string; password: string }
  httpPort?: number
  tcpPort?: number
}

const FORMAT = 1
const FORMAT_FILE = 'rollcall.json'
const LOCK_FILE = 'lock'
/** Of the process that has the lock: first who it is, then also its addresses. Readable only by the owner. */
const RUN_FILE = 'run.json'
/** Nothing is written, so there is no journal beside the file. */
const LOCK = 'PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE'

const damaged = (file: string, detail: string): AppError =>
  new AppError(
    'DATA_DIR_DAMAGED',
    `the data directory is damaged: ${file}: ${detail}. Nothing was changed; restore it from a copy, or set DATA_DIR to another directory`,
    { expose: true },
  )

/** Undefined for a file that is not there or is not JSON. */
const readJson = (file: string): object | undefined => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) ?? undefined
  } catch (error) {
    if (error instanceof SyntaxError || !existsSync(file)) return undefined
    throw error
  }
}

const writeJson = (file: string, value: object): void =>
  writeFileAtomically(file, `${JSON.stringify(value, null, 2)}\n`)

/** Paths in a directory that is not opened. */
export function resolveDataPaths(directory: string) {
  const path = resolve(directory)
  return {
    path,
    /** Directory of the event log. */
    logPath: join(path, 'log'),
    /** Directory of the embedded ClickHouse. */
    storePath: join(path, 'clickhouse'),
    /** Directory of the log of agents. */
    agentsLogPath: join(path, 'agents-log'),
    /** Directory of the signing keys. */
    keysPath: join(path, 'keys'),
    /** The chain that `rollcall start <chain>` follows, with its endpoints. */
    chainFile: join(path, 'chain.json'),
  }
}

/** True for a data directory, false for an empty one; throws `DATA_DIR_DAMAGED` for any other. */
export function isOurs(directory: string): boolean {
  const file = join(directory, FORMAT_FILE)
  // Listed first: another start may be creating the directory now, and it writes the format first.
  const names = readdirSync(directory)
  if (existsSync(file)) {
    const { format } = (readJson(file) ?? {}) as { format?: unknown }
    if (format === FORMAT) return true
    const what = format === undefined ? 'garbled' : `format ${JSON.stringify(format)} is not known`
    throw damaged(file, what)
  }
  // A start that was interrupted leaves this file.
  if (names.every((name) => name.startsWith(`.${FORMAT_FILE}`))) return false
  throw damaged(file, 'the file is missing, and the directory is not empty')
}

/** Runs one statement. False if another process has the lock. */
const tryStatement = (db: Database, file: string, sql: string): boolean => {
  try {
    db.exec(sql)
    return true
  } catch (error) {
    if (isBusy(error)) return false
    throw new AppError(
      'DATA_DIR_DAMAGED',
      `the data directory cannot be locked: ${file}: ${(error as Error).message}. Remove the file if no Rollcall runs here; the disk must have file locks`,
      { expose: true, cause: error },
    )
  }
}

/** The process that uses the directory, if any. Changes nothing. */
const readHeld = (directory: string): (Holder & Partial<RunInfo>) | undefined => {
  const file = join(directory, LOCK_FILE)
  if (!existsSync(file)) return undefined
  const db = openDatabase(file)
  try {
    if (tryStatement(db, file, 'SELECT count(*) FROM sqlite_schema')) return undefined
    const held = readJson(join(directory, RUN_FILE)) as Partial<Holder> | undefined
    return typeof held?.since === 'string' ? (held as Holder) : undefined
  } finally {
    db.close()
  }
}

export function readHolder(directory: string): Holder | undefined {
  return readHeld(directory)
}

/** The addresses of the process that runs in a directory, once its API answers. Takes no lock. */
export function readRunFile(directory: string): RunInfo | undefined {
  const held = readHeld(resolve(directory))
  return held?.url === undefined ? undefined : (held as Holder & RunInfo)
}

/** Why a directory has no addresses: no process uses it, or one does not serve yet. */
export function describeNotServing(directory: string): string {
  const holder = readHolder(resolve(directory))
  return holder
    ? `process ${holder.pid} uses ${directory} since ${holder.since}, but does not serve yet: wait until it has started`
    : `Rollcall is not running in ${directory}`
}

/** Throws `DATA_DIR_LOCKED`, which names the holder. */
export async function lockDirectory(directory: string) {
  const [file, runFile] = [join(directory, LOCK_FILE), join(directory, RUN_FILE)]
  // Not by SQLite, so that an error of the disk has the name that the system gives it.
  if (!existsSync(file)) writeFileSync(file, '', { flag: 'a', mode: 0o600 })
  const db = openDatabase(file)
  const lock = async () => {
    if (tryStatement(db, file, LOCK)) return
    const holder = readJson(runFile) as Holder | undefined
    const user = holder ? `process ${holder.pid} since ${holder.since}` : 'another process'
    const message = `${directory} is in use by ${user}. Stop it, or set DATA_DIR to another directory`
    throw new AppError('DATA_DIR_LOCKED', message, { expose: true })
  }
  const holder: Holder = { pid: process.pid, since: new Date().toISOString() }
  try {
    await retry(lock, {
      ...policies.dataDirLock,
      // A command that looks for the holder has the lock for a moment.
      when: (error) => hasCode(error, 'DATA_DIR_LOCKED'),
      signal: new AbortController().signal,
    })
    const wasKilled = existsSync(runFile)
    writeJson(runFile, holder)
    return {
      wasKilled,
      writeRunFile: (info: RunInfo) => writeJson(runFile, { ...holder, ...info }),
      release: async () => {
        rmSync(runFile, { force: true })
        db.exec('ROLLBACK')
        db.close()
      },
    }
  } catch (error) {
    db.close()
    throw error
  }
}

const SYSTEM_CODE = /^E[A-Z]+$/

/**
 * Locks the directory for this process, and creates it if needed. Throws `DATA_DIR_LOCKED` (names the holder),
 * `DATA_DIR_UNWRITABLE` or `DATA_DIR_DAMAGED` (names the file, changes nothing). `wasKilled`: the children of the previous
 * holder may still be ending.
 */
export async function openDataDir(directory: string) {
  const paths = resolveDataPaths(directory)
  const { path } = paths
  try {
    makeDirectory(path)
    if (!isOurs(path)) writeJson(join(path, FORMAT_FILE), { format: FORMAT })
    return { ...paths, ...(await lockDirectory(path)) }
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    if (error instanceof AppError || !SYSTEM_CODE.test(code)) throw error
    throw new AppError(
      'DATA_DIR_UNWRITABLE',
      `the data directory ${path} cannot be written: ${message}. Make it writable, or set DATA_DIR to another directory`,
      { expose: true, cause: error },
    )
  }
}

export type DataDir = Awaited<ReturnType<typeof openDataDir>>
