// The data directory of one machine: its layout, format and lock, and the process that runs in it.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { AppError } from '../../base/runtime/errors.ts'
import { makeDirectory, writeFileAtomically } from '../../base/runtime/files.ts'
import { isLockFile, lockDirectory, readHolder } from './data-dir-lock.ts'

/** Addresses of the supervisor that runs in a directory, and of its store. Readable only by the owner. */
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

export type DataDir = {
  /** Absolute. */
  path: string
  /** Directory of the event log. */
  logPath: string
  /** Directory of the embedded ClickHouse. */
  storePath: string
  /** Directory of the log of agents. */
  agentsLogPath: string
  /** Directory of the signing keys. */
  keysPath: string
  /** Whether the previous holder was killed: its children may still be ending. */
  wasKilled: boolean
  /** The chain that `rollcall start <chain>` follows, with its endpoints. */
  chainFile: string
  /** Replaces `run.json`. */
  writeRunFile(info: RunInfo): void
  /** Removes `run.json` and releases the lock. */
  release(): Promise<void>
}

/** Paths of the log of agents and of the signing keys in a data directory. */
export const resolveAuthPaths = (directory: string) => ({
  agentsLogPath: join(resolve(directory), 'agents-log'),
  keysPath: join(resolve(directory), 'keys'),
})

const FORMAT = 1
const FORMAT_FILE = 'rollcall.json'
const RUN_FILE = 'run.json'

const damaged = (file: string, detail: string): AppError =>
  new AppError(
    'DATA_DIR_DAMAGED',
    `the data directory is damaged: ${file}: ${detail}. Nothing was changed; restore it from a copy, or set DATA_DIR to another directory`,
    { expose: true },
  )

const readJson = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Paths in a directory that is not opened. */
export const resolveDataPaths = (directory: string) => {
  const path = resolve(directory)
  return {
    ...resolveAuthPaths(directory),
    path,
    logPath: join(path, 'log'),
    storePath: join(path, 'clickhouse'),
    chainFile: join(path, 'chain.json'),
  }
}

/** Files of an earlier start that was interrupted before it wrote the format. */
const isLeftover = (name: string): boolean => isLockFile(name) || name.startsWith(`.${FORMAT_FILE}`)

/** True for a data directory, false for an empty one; throws `DATA_DIR_DAMAGED` for any other. */
export const isOurs = (directory: string): boolean => {
  const file = join(directory, FORMAT_FILE)
  // Listed first: another start may be creating the directory now, and it writes the format first.
  const names = readdirSync(directory)
  if (existsSync(file)) {
    const { format } = (readJson(file) ?? {}) as { format?: unknown }
    if (format === FORMAT) return true
    throw damaged(
      file,
      format === undefined ? 'garbled' : `format ${JSON.stringify(format)} is not known`,
    )
  }
  if (names.every(isLeftover)) return false
  throw damaged(file, 'the file is missing, and the directory is not empty')
}

const SYSTEM_CODE = /^E[A-Z]+$/

const unwritable = (path: string, error: unknown): unknown => {
  const { code = '', message } = error as NodeJS.ErrnoException
  if (error instanceof AppError || !SYSTEM_CODE.test(code)) return error
  return new AppError(
    'DATA_DIR_UNWRITABLE',
    `the data directory ${path} cannot be written: ${message}. Make it writable, or set DATA_DIR to another directory`,
    { expose: true, cause: error },
  )
}

const makeAndLock = async (path: string): Promise<() => void> => {
  try {
    makeDirectory(path)
    isOurs(path)
    return await lockDirectory(path)
  } catch (error) {
    throw unwritable(path, error)
  }
}

/**
 * Locks the directory for this process, and creates it if needed. Throws `DATA_DIR_LOCKED` (names the holder),
 * `DATA_DIR_UNWRITABLE` or `DATA_DIR_DAMAGED` (names the file, changes nothing).
 */
export const openDataDir = async (directory: string): Promise<DataDir> => {
  const path = resolve(directory)
  const unlock = await makeAndLock(path)
  const runFile = join(path, RUN_FILE)
  const wasKilled = existsSync(runFile)
  try {
    if (!isOurs(path)) {
      writeFileAtomically(join(path, FORMAT_FILE), `${JSON.stringify({ format: FORMAT })}\n`)
    }
    rmSync(runFile, { force: true })
  } catch (error) {
    unlock()
    throw error
  }
  return {
    ...resolveDataPaths(path),
    wasKilled,
    writeRunFile: (info) => {
      writeFileAtomically(runFile, `${JSON.stringify(info, null, 2)}\n`)
    },
    release: async () => {
      rmSync(runFile, { force: true })
      unlock()
    },
  }
}

/** The addresses of the process that runs in a directory, once its API answers. Takes no lock. */
export const readRunFile = (directory: string): RunInfo | undefined => {
  const file = join(resolve(directory), RUN_FILE)
  if (!existsSync(file)) return undefined
  const info = readJson(file) as RunInfo | undefined
  return info && readHolder(resolve(directory))?.pid === info.pid ? info : undefined
}

/** Why a directory has no addresses: no process uses it, or one does not serve yet. */
export const describeNotServing = (directory: string): string => {
  const path = resolve(directory)
  const holder = existsSync(path) ? readHolder(path) : undefined
  return holder
    ? `process ${holder.pid} uses ${directory} since ${holder.since}, but does not serve yet: wait until it has started`
    : `Rollcall is not running in ${directory}`
}
