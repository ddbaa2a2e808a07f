// The child process of the embedded ClickHouse: passes its arguments to the library and ends with its parent.
// Arguments: the directory of the data, the configuration file, the file of the users, and any of `EngineFlag`.
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { becomeProgram, confineReading } from './confine.ts'
import { explainMissingEngine, findEngineLibrary, readPlatform } from './engine-package.ts'
import {
  callForPointer,
  callInThread,
  int32,
  openLibrary,
  type Pointer,
  pointer,
  readCString,
  texts,
} from './native.ts'

const LIBRARY = 'chdb'
/** `native`: listens on the native port. `unconfined`: runs without a sandbox. `confined`: is in it already. */
export type EngineFlag = 'native' | 'unconfined' | 'confined'

/**
 * Keeps the engine up. Needs no right to read a file, unlike waiting for standard input.
 * The engine stops at most one sleep later. With the default `interactive_delay` it would also wake ten times a second
 * to report progress.
 */
const KEEP_UP =
  'SELECT sleepEachRow(0.3) FROM numbers(1000000000000) SETTINGS max_block_size = 1, interactive_delay = 1000000 FORMAT Null'

const statementsFor = (flags: readonly string[]): string[] => [
  'SYSTEM START LISTEN HTTP',
  ...(flags.includes('native') ? ['SYSTEM START LISTEN TCP'] : []),
  KEEP_UP,
]

const requireLibrary = (): string => {
  const library = findEngineLibrary(process)
  if (library !== undefined) return library
  const reason = explainMissingEngine(readPlatform())
  throw new Error(`${reason}; set CLICKHOUSE_URL to a ClickHouse server instead`)
}

const readError = (result: Pointer): string => {
  const parameters = [pointer(result)]
  const message = callForPointer({ library: LIBRARY, function: 'chdb_result_error', parameters })
  return message === undefined ? '' : readCString(message)
}

/** Resolves when the engine has ended, with its error if it had one. */
const runEngine = async (
  storeDir: string,
  configFile: string,
  statements: readonly string[],
): Promise<string> => {
  openLibrary(LIBRARY, requireLibrary())
  const words = [
    // The library is many programs in one and chooses by this name.
    'clickhouse',
    `--path=${storeDir}`,
    `--config-file=${configFile}`,
    `--query=${statements.join('; ')}`,
  ]
  const parameters = [int32(words.length), texts(words)]
  const result = await callInThread({
    library: LIBRARY,
    function: 'chdb_query_cmdline',
    parameters,
  })
  return result === undefined ? '' : readError(result)
}

/** System paths that programs need, without files of users. */
const SYSTEM_PATHS = [
  '/usr',
  '/lib',
  '/lib64',
  '/nix/store',
  '/sys',
  // The environment of another process can contain secrets: of /proc, only this process.
  `/proc/${process.pid}`,
  '/proc/sys',
  '/proc/meminfo',
  '/proc/cpuinfo',
  '/proc/stat',
  '/proc/loadavg',
  '/proc/uptime',
  '/proc/version',
  '/proc/filesystems',
  '/proc/diskstats',
  '/dev/null',
  '/dev/random',
  '/dev/urandom',
  '/etc/ld.so.cache',
  '/etc/localtime',
  '/etc/timezone',
  '/etc/ssl/openssl.cnf',
  '/etc/hosts',
  '/etc/host.conf',
  '/etc/nsswitch.conf',
  '/etc/resolv.conf',
  '/etc/gai.conf',
]

const ownPaths = (): string[] => {
  const here = fileURLToPath(import.meta.url)
  const modules = createRequire(import.meta.url).resolve('ffi-rs')
  const root = join(dirname(here), '..', '..', '..')
  return [
    process.execPath,
    dirname(here),
    // Code of a build that several processes share.
    join(root, 'chunks'),
    modules.slice(0, modules.lastIndexOf('/node_modules/') + '/node_modules'.length),
    join(root, 'package.json'),
    join(root, 'tsconfig.json'),
    // Files of the loader that runs the sources.
    join(tmpdir(), `tsx-${process.getuid?.()}`),
  ]
}

/**
 * The SQL function `file` reads any file for any user, without a grant, and no setting forbids it.
 * Confinement applies to a thread, so the process starts again to confine all of its threads.
 * The parent creates analysts only for a confined engine, so an engine that cannot be confined must not run.
 */
const confineAll = (args: readonly string[]): never => {
  const paths = args.slice(0, 3)
  const script = fileURLToPath(import.meta.url)
  if (confineReading([...SYSTEM_PATHS, ...ownPaths(), ...paths])) {
    becomeProgram(process.execPath, [...process.execArgv, script, ...args, 'confined'])
  }
  throw new Error('the sandbox of the engine could not be set up')
}

/** Exits at once, without the cleanup of the library, which can hang. Inserted rows are already in files. */
const endNow = (): void => {
  process.kill(process.pid, 'SIGKILL')
}

const [storeDir = '', configFile = '', , ...flags] = process.argv.slice(2)
try {
  if (!flags.includes('confined') && !flags.includes('unconfined')) {
    confineAll(process.argv.slice(2))
  }
  process.stdin.resume()
  process.stdin.once('end', endNow)
  process.stdin.once('error', endNow)
  process.stderr.write(await runEngine(storeDir, configFile, statementsFor(flags)))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
} finally {
  endNow()
}
