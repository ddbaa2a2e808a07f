// The child process of the embedded ClickHouse: passes its arguments to the library and ends with its parent.
// Arguments: the directory of the data, the configuration file, and any of `EngineFlag`.
// The only importer of `ffi-rs`.
import { DataType, isNullPointer, type JsExternal, load, open, restorePointer } from 'ffi-rs'
import { explainMissingEngine, findEngineLibrary, readPlatform } from './engine-package.ts'

const LIBRARY = 'chdb'
/** Listens on the native port. */
export type EngineFlag = 'native'

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

/** Memory of the library. */
const readCString = (address: JsExternal): string => {
  const [found] = restorePointer<DataType.String>({
    retType: [DataType.String],
    paramsValue: [address],
  })
  return found ?? ''
}

const readError = (result: JsExternal): string => {
  const message: JsExternal = load({
    library: LIBRARY,
    funcName: 'chdb_result_error',
    retType: DataType.External,
    paramsType: [DataType.External],
    paramsValue: [result],
  })
  return isNullPointer(message) ? '' : readCString(message)
}

/** Resolves when the engine has ended, with its error if it had one. */
const runEngine = async (
  storeDir: string,
  configFile: string,
  statements: readonly string[],
): Promise<string> => {
  open({ library: LIBRARY, path: requireLibrary() })
  const words = [
    // The library is many programs in one and chooses by this name.
    'clickhouse',
    `--path=${storeDir}`,
    `--config-file=${configFile}`,
    `--query=${statements.join('; ')}`,
  ]
  const result: JsExternal = await load({
    library: LIBRARY,
    funcName: 'chdb_query_cmdline',
    retType: DataType.External,
    paramsType: [DataType.I32, DataType.StringArray],
    paramsValue: [words.length, words],
    runInNewThread: true,
  })
  return isNullPointer(result) ? '' : readError(result)
}

/** Exits at once, without the cleanup of the library, which can hang. Inserted rows are already in files. */
const endNow = (): void => {
  process.kill(process.pid, 'SIGKILL')
}

const [storeDir = '', configFile = '', ...flags] = process.argv.slice(2)
try {
  process.stdin.resume()
  process.stdin.once('end', endNow)
  process.stdin.once('error', endNow)
  process.stderr.write(await runEngine(storeDir, configFile, statementsFor(flags)))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
} finally {
  endNow()
}
