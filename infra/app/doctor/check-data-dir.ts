// Checks the data directory of one machine: existence, owner, permissions, lock and free disk space. Read-only.
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { AppError } from '../../base/runtime/errors.ts'
import { isOurs, resolveDataPaths } from '../data-dir/data-dir.ts'
import { readHolder } from '../data-dir/data-dir-lock.ts'
import { createAreaFindings, type Finding } from './finding.ts'

const { ok, warning, problem } = createAreaFindings('data directory')

const GIB = 2 ** 30
const LEAST_FREE_BYTES = GIB / 4
const LOW_FREE_BYTES = 2 * GIB

export const checkFreeSpace = (freeBytes: number, path: string): Finding => {
  const free = `${(freeBytes / GIB).toFixed(1)} GiB free on the disk of ${path}`
  if (freeBytes < LEAST_FREE_BYTES) return problem(free, 'free disk space: appends will stop soon')
  return freeBytes < LOW_FREE_BYTES ? warning(free, 'free disk space before it runs out') : ok(free)
}

const checkFreeSpaceAt = (path: string): Finding => {
  const { bavail, bsize } = statfsSync(path)
  return checkFreeSpace(bavail * bsize, path)
}

const OTHERS = 0o077

const checkOwner = (path: string): Finding => {
  const { uid, mode } = statSync(path)
  const own = process.getuid?.() ?? uid
  const shown = (mode & 0o777).toString(8)
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    return problem(
      `${path} belongs to user ${uid}; user ${own} cannot write to it (mode ${shown})`,
      'run Rollcall as its owner, or change the owner',
    )
  }
  if ((mode & OTHERS) !== 0) {
    return warning(`other users can access ${path} (mode ${shown})`, `chmod 700 ${path}`)
  }
  return ok(`${path} belongs to user ${uid}, mode ${shown}`)
}

const checkHolder = (path: string): Finding => {
  const holder = readHolder(path)
  return ok(holder ? `in use by process ${holder.pid} since ${holder.since}` : 'no process uses it')
}

/** For a damaged directory, the message of the error names the remedy. */
const orDamage = (check: () => Finding): Finding => {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return problem(error.message, 'restore it, or set DATA_DIR to another directory')
  }
}

const existing = (path: string): string => (existsSync(path) ? path : existing(dirname(path)))

export const checkDataDir = (directory: string): Finding[] => {
  const { path } = resolveDataPaths(directory)
  if (!existsSync(path)) {
    const absent = warning(`${path} does not exist yet`, 'run "rollcall start", or set DATA_DIR')
    return [absent, checkFreeSpaceAt(existing(path))]
  }
  if (!statSync(path).isDirectory()) {
    return [problem(`${path} is not a directory`, 'set DATA_DIR to a directory')]
  }
  const owner = checkOwner(path)
  // Nothing else can be checked then.
  if (owner.level === 'problem') return [owner, checkFreeSpaceAt(path)]
  const format = orDamage(() =>
    isOurs(path) ? ok('its format is supported') : warning('it is empty', 'run "rollcall start"'),
  )
  return [owner, format, orDamage(() => checkHolder(path)), checkFreeSpaceAt(path)]
}
