// Checks the machine: its Node version, the engine of the embedded ClickHouse, and the data directory with its owner, permissions, lock
// and free disk space. Read-only.
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  explainMissingEngine,
  findEngineLibrary,
  readPlatform,
} from '../../base/clickhouse/engine-package.ts'
import { AppError } from '../../base/runtime/errors.ts'
import { isOurs, resolveDataPaths } from '../data-dir/data-dir.ts'
import { readHolder } from '../data-dir/data-dir-lock.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

/** The same as `engines` in package.json. */
export const LEAST_NODE = '20.19'

export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [leastMajor = 0, leastMinor = 0] = LEAST_NODE.split('.').map(Number)
  return major > leastMajor || (major === leastMajor && minor >= leastMinor)
    ? ok(`Node ${version}`)
    : problem(`Node ${version} is too old`, `install Node ${LEAST_NODE} or newer`)
}

/** For a machine with the embedded ClickHouse. */
export function checkEngine(library = findEngineLibrary(process)): Finding {
  const remedy = 'install the optional packages where there is one, or set CLICKHOUSE_URL'
  return library === undefined
    ? problem(explainMissingEngine(readPlatform()), remedy)
    : ok('the embedded ClickHouse is installed')
}

const GIB = 2 ** 30
const LEAST_FREE_BYTES = GIB / 4
const LOW_FREE_BYTES = 2 * GIB

export function checkFreeSpace(freeBytes: number, path: string): Finding {
  const free = `${(freeBytes / GIB).toFixed(1)} GiB free on the disk of ${path}`
  if (freeBytes < LEAST_FREE_BYTES) return problem(free, 'free disk space: appends will stop soon')
  return freeBytes < LOW_FREE_BYTES ? warning(free, 'free disk space before it runs out') : ok(free)
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
  return (mode & OTHERS) !== 0
    ? warning(`other users can access ${path} (mode ${shown})`, `chmod 700 ${path}`)
    : ok(`${path} belongs to user ${uid}, mode ${shown}`)
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

const checkContents = (path: string): Finding[] => {
  if (!existsSync(path)) {
    return [warning(`${path} does not exist yet`, 'run "rollcall start", or set DATA_DIR')]
  }
  if (!statSync(path).isDirectory()) {
    return [problem(`${path} is not a directory`, 'set DATA_DIR to a directory')]
  }
  const owner = checkOwner(path)
  // Nothing else can be checked then.
  if (owner.level === 'problem') return [owner]
  const format = orDamage(() =>
    isOurs(path) ? ok('its format is supported') : warning('it is empty', 'run "rollcall start"'),
  )
  return [owner, format, orDamage(() => checkHolder(path))]
}

export function checkDataDir(directory: string): Finding[] {
  const { path } = resolveDataPaths(directory)
  const { bavail, bsize } = statfsSync(existing(path))
  return [...checkContents(path), checkFreeSpace(bavail * bsize, path)]
}
