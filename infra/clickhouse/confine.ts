// Confines this process, with Landlock where Linux has it, to reading the engine's own files: SQL can name any other.
import { closeSync, existsSync, openSync, realpathSync, statSync } from 'node:fs'
import { DataType, load, open } from 'ffi-rs'

const LIBRARY = 'libc'
/** The same numbers on every architecture. */
const SYSTEM_CALLS = { createRuleset: 444, addRule: 445, restrictSelf: 446 } as const
const F_SETFD = 2
const PR_SET_NO_NEW_PRIVS = 38
const RULE_PATH_BENEATH = 1
/** LANDLOCK_ACCESS_FS_READ_FILE. */
const READ_FILE = 1n << 2n
/** LANDLOCK_ACCESS_FS_REFER: to move files between directories, which is never free under Landlock. */
const REFER = 1n << 13n
/** The first version that can allow that. */
const LEAST_VERSION = 2

const systemCall = (number: number, values: readonly (number | Buffer)[]): number =>
  load({
    library: LIBRARY,
    funcName: 'syscall',
    retType: DataType.I64,
    paramsType: [
      DataType.I64,
      ...values.map((value) => (typeof value === 'number' ? DataType.I64 : DataType.U8Array)),
    ],
    paramsValue: [number, ...values],
  })

const createRuleset = (): number => {
  const attributes = Buffer.alloc(8)
  attributes.writeBigUInt64LE(READ_FILE | REFER)
  return Number(systemCall(SYSTEM_CALLS.createRuleset, [attributes, attributes.length, 0]))
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
    // What is absent here, or not ours to read, needs no permission.
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/**
 * From here on this thread, and what it starts, may open these files and those below these directories
 * for reading, and no others. False, and nothing done, where the system cannot.
 */
export const confineReading = (paths: readonly string[]): boolean => {
  if (process.platform !== 'linux') return false
  // Alpine has its C library under another name.
  open({ library: LIBRARY, path: existsSync('/etc/alpine-release') ? 'libc.so' : 'libc.so.6' })
  // Asked for no ruleset, it tells its version.
  if (systemCall(SYSTEM_CALLS.createRuleset, [0, 0, 1]) < LEAST_VERSION) return false
  const ruleset = createRuleset()
  if (ruleset < 0) return false
  for (const path of paths) allow(ruleset, path)
  load({
    library: LIBRARY,
    funcName: 'prctl',
    retType: DataType.I32,
    paramsType: [DataType.I32, DataType.I64, DataType.I64, DataType.I64, DataType.I64],
    paramsValue: [PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0],
  })
  return Number(systemCall(SYSTEM_CALLS.restrictSelf, [ruleset, 0])) === 0
}

/**
 * Becomes another program with this one's id, streams and environment, all of whose threads are under
 * what this thread is confined to. Returns only where that failed.
 */
export const becomeProgram = (file: string, args: readonly string[]): void => {
  // Node has marked its standard streams to be closed for whoever comes after it.
  for (const stream of [0, 1, 2]) {
    load({
      library: LIBRARY,
      funcName: 'fcntl',
      retType: DataType.I32,
      paramsType: [DataType.I32, DataType.I32, DataType.I64],
      paramsValue: [stream, F_SETFD, 0],
    })
  }
  const strings = [file, file, ...args]
  load({
    library: LIBRARY,
    funcName: 'execl',
    retType: DataType.I32,
    paramsType: [...strings.map(() => DataType.String), DataType.I64],
    paramsValue: [...strings, 0],
  })
}
