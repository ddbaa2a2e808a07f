// The child process that is the embedded ClickHouse: hands its arguments to the engine's library and ends with its parent.
// Arguments: the directory of the data, the configuration file.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { DataType, isNullPointer, type JsExternal, load, open, restorePointer } from 'ffi-rs'

const LIBRARY = 'chdb'
const PACKAGES: Record<string, string> = {
  'linux-x64': '@chdb/lib-linux-x64-gnu',
  'linux-arm64': '@chdb/lib-linux-arm64-gnu',
  'darwin-x64': '@chdb/lib-darwin-x64',
  'darwin-arm64': '@chdb/lib-darwin-arm64',
}

const STATEMENTS = [
  'SYSTEM START LISTEN HTTP',
  'SYSTEM START LISTEN TCP',
  // Keeps the engine up. Needs no right to read a file, unlike waiting for standard input.
  'SELECT sleepEachRow(0.1) FROM numbers(1000000000000) SETTINGS max_block_size = 1 FORMAT Null',
]

const findLibrary = (): string => {
  const name = PACKAGES[`${process.platform}-${process.arch}`]
  const way = 'set CLICKHOUSE_URL to a ClickHouse server instead'
  if (!name) {
    throw new Error(`no embedded ClickHouse for ${process.platform}-${process.arch}: ${way}`)
  }
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`)
    return join(dirname(manifest), 'libchdb.so')
  } catch (cause) {
    throw new Error(`the package ${name} is not installed: ${way}`, { cause })
  }
}

const errorOf = (result: JsExternal): string => {
  const message: JsExternal = load({
    library: LIBRARY,
    funcName: 'chdb_result_error',
    retType: DataType.External,
    paramsType: [DataType.External],
    paramsValue: [result],
  })
  if (isNullPointer(message)) return ''
  const [text] = restorePointer<DataType.String>({
    retType: [DataType.String],
    paramsValue: [message],
  })
  return text ?? ''
}

/** Resolves when the engine has ended, with its error if it had one. */
const runEngine = async (storeDir: string, configFile: string): Promise<string> => {
  open({ library: LIBRARY, path: findLibrary() })
  const parameters = [
    // The library is many programs in one and chooses by this name.
    'clickhouse',
    `--path=${storeDir}`,
    `--config-file=${configFile}`,
    `--query=${STATEMENTS.join('; ')}`,
  ]
  const result: JsExternal = await load({
    library: LIBRARY,
    funcName: 'chdb_query_cmdline',
    retType: DataType.External,
    paramsType: [DataType.I32, DataType.StringArray],
    paramsValue: [parameters.length, parameters],
    runInNewThread: true,
  })
  return isNullPointer(result) ? '' : errorOf(result)
}

/** At once and without the library's own cleanup, which can hang; what was inserted is in its files. */
const endNow = (): void => {
  process.kill(process.pid, 'SIGKILL')
}

process.stdin.resume()
process.stdin.once('end', endNow)
process.stdin.once('error', endNow)

const [storeDir = '', configFile = ''] = process.argv.slice(2)
try {
  process.stderr.write(await runEngine(storeDir, configFile))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
} finally {
  endNow()
}
