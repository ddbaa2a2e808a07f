// Confines the reads of this process to the files of the engine (Landlock on Linux), because SQL can name any file.
import { closeSync, openSync, realpathSync, statSync } from 'node:fs'
import {
  bytes,
  C_LIBRARY,
  callForInt32,
  callForInt64,
  int32,
  int64,
  openCLibrary,
  text,
} from './native.ts'

/** The same numbers on every architecture. */
const SYSTEM_CALLS = { createRuleset: 444, addRule: 445, restrictSelf: 446 } as const
const F_SETFD = 2
const PR_SET_NO_NEW_PRIVS = 38
const RULE_PATH_BENEATH = 1
/** LANDLOCK_ACCESS_FS_READ_FILE. */
const READ_FILE = 1n << 2n
/** LANDLOCK_ACCESS_FS_REFER: moves between directories, which Landlock denies without this right. */
const REFER = 1n << 13n
/** The first version with that right. */
const LEAST_VERSION = 2

const systemCall = (number: number, values: readonly (number | Buffer)[]): number =>
  callForInt64({
    library: C_LIBRARY,
    function: 'syscall',
    parameters: [
      int64(number),
      ...values.map((value) => (typeof value === 'number' ? int64(value) : bytes(value))),
    ],
  })

const createRuleset = (): number => {
  const attributes = Buffer.alloc(8)
  attributes.writeBigUInt64LE(READ_FILE | REFER)
  return systemCall(SYSTEM_CALLS.createRuleset, [attributes, attributes.length, 0])
}

const allow = (ruleset: number, path: string): void => {
  let file: number | undefined
  try {
    const real = realpathSync(path)
    file = openSync(real, 'r')
    const attributes = Buffer.alloc(12)
    attributes.writeBigUInt64LE(statSync(real).isDirectory() ? READ_FILE | REFER : READ_FILE)
    attributes.writeInt32LE(file, 8)
    systemCall(SYSTEM_CALLS.addRule, [ruleset, RULE_PATH_BENEATH, attributes, 0])
  } catch {
    // Files that are absent or unreadable need no rule.
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** Whether this system has a Landlock that `confineReading` can use. */
export const canConfine = (): boolean => {
  if (process.platform !== 'linux') return false
  openCLibrary()
  // Without a ruleset the call returns the version of the interface.
  return systemCall(SYSTEM_CALLS.createRuleset, [0, 0, 1]) >= LEAST_VERSION
}

/**
 * From now on this thread and its children may only open these files, and files in these directories,
 * for reading. Returns false and changes nothing if the system cannot do it.
 */
export const confineReading = (paths: readonly string[]): boolean => {
  if (!canConfine()) return false
  const ruleset = createRuleset()
  if (ruleset < 0) return false
  for (const path of paths) allow(ruleset, path)
  callForInt32({
    library: C_LIBRARY,
    function: 'prctl',
    parameters: [int32(PR_SET_NO_NEW_PRIVS), ...[1, 0, 0, 0].map(int64)],
  })
  return systemCall(SYSTEM_CALLS.restrictSelf, [ruleset, 0]) === 0
}

/**
 * Replaces this program by another one with the same process ID, streams and environment. All threads of the new
 * program have the confinement of this thread. Returns only on failure.
 */
export const becomeProgram = (file: string, args: readonly string[]): void => {
  // Node has marked its standard streams to be closed in the next program.
  for (const stream of [0, 1, 2]) {
    const parameters = [int32(stream), int32(F_SETFD), int64(0)]
    callForInt32({ library: C_LIBRARY, function: 'fcntl', parameters })
  }
  callForInt32({
    library: C_LIBRARY,
    function: 'execl',
    parameters: [...[file, file, ...args].map(text), int64(0)],
  })
}
