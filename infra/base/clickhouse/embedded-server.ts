// Starts and stops a ClickHouse server from the library of the engine, as a child process on loopback.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { systemClock } from '../runtime/clock.ts'
import { hasCode } from '../runtime/errors.ts'
import { makeDirectory } from '../runtime/files.ts'
import type { Logger } from '../runtime/logger.ts'
import { policies } from '../runtime/policies.ts'
import { findFreePort, LOOPBACK } from '../runtime/ports.ts'
import { isSource, locateModule } from '../runtime/product-files.ts'
import { retry, withDeadline } from '../runtime/retry.ts'
import { createStore, type Store } from './client.ts'
import {
  configXml,
  ENGINE_USER,
  type EngineConfig,
  FILE_FUNCTION,
  memoryLimit,
  usersXml,
} from './engine-config.ts'
import { checkParts, startError } from './engine-error.ts'
import type { EngineFlag } from './engine-process.ts'
import type { ReadOnlyUser } from './readers.ts'

export type EmbeddedClickHouseOptions = {
  /** A separate directory; created if it is absent. */
  dataDir: string
  /** A loopback address; by default 127.0.0.1. */
  host?: string | undefined
  /** By default a free port. */
  httpPort?: number | undefined
  /** Enables the native protocol. Off by default, because a client that breaks its connection can end the engine. */
  tcpPort?: number | undefined
  password: string
  readers?: readonly ReadOnlyUser[]
  logger: Logger
}

type EngineExit = {
  code: number | null
  signal: NodeJS.Signals | null
  /** True if `close` was called before. */
  expected: boolean
}

export type EmbeddedClickHouse = {
  url: string
  username: string
  password: string
  pid: number
  httpPort: number
  tcpPort: number | undefined
  /** Whether it responds within this time. Not a query: a busy engine must not be replaced. Never rejects. */
  isAnswering(timeoutMs: number): Promise<boolean>
  /** Kills it. Resolves once it has ended. */
  kill(): Promise<void>
  /** Resolves when the engine has ended, for whatever reason. Never rejects. */
  exited: Promise<EngineExit>
  /** Stops it cleanly, and kills it if that takes too long. Close the clients before. */
  close(): Promise<void>
}

const START_DEADLINE_MS = 60_000
const POLL_MS = 20
const ANSWER_MS = 2_000
const CLEAN_END_MS = 1_500
const KEPT_ERROR_CHARACTERS = 16 * 1024

type Listen = Pick<EngineConfig, 'host' | 'httpPort' | 'tcpPort'>

type Engine = {
  child: ChildProcess
  pid: number
  exited: Promise<EngineExit>
  /** The last output of the engine on standard error. */
  errorText: () => string
  expectExit: () => void
}

/** From sources in development, from JavaScript in a build. */
const engineCommand = (): string[] => {
  const file = locateModule('infra/base/clickhouse/engine-process')
  if (!isSource) return [file]
  const loader = createRequire(import.meta.url).resolve('tsx')
  return ['--import', pathToFileURL(loader).href, file]
}

const spawnEngine = ({ storeDir, configFile }: Paths, flags: readonly EngineFlag[]): Engine => {
  const args = [...engineCommand(), storeDir, configFile, ...flags]
  const child = spawn(process.execPath, args, {
    // A separate process group: Ctrl-C reaches only the supervisor, which ends the engine last.
    detached: true,
    env: { HOME: storeDir, TZ: 'UTC' },
    cwd: storeDir,
    // Its input stays empty; it closes when this process ends, and then the engine ends too.
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  let errorText = ''
  let expected = false
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errorText = (errorText + text).slice(-KEPT_ERROR_CHARACTERS)
  })
  const exited = new Promise<EngineExit>((resolve) => {
    child.once('error', (error) => {
      errorText += String(error)
      resolve({ code: null, signal: null, expected })
    })
    child.once('close', (code, signal) => resolve({ code, signal, expected }))
  })
  return {
    child,
    pid: child.pid ?? 0,
    exited,
    errorText: () => errorText,
    expectExit: () => {
      expected = true
    },
  }
}

const endByForce = async ({ child, exited }: Engine): Promise<void> => {
  child.kill('SIGKILL')
  await exited
}

type Paths = { storeDir: string; configFile: string; usersFile: string; logFile: string }

const pathsIn = (dataDir: string): Paths => ({
  storeDir: join(dataDir, 'store'),
  configFile: join(dataDir, 'config.xml'),
  usersFile: join(dataDir, 'users.xml'),
  logFile: join(dataDir, 'clickhouse.log'),
})

/** Reads the text that is added to a file from now on. */
const followFile = (file: string): (() => string) => {
  const start = existsSync(file) ? statSync(file).size : 0
  return () => (existsSync(file) ? readFileSync(file).subarray(start).toString() : '')
}

const awaitReady = async (engine: Engine, store: Store): Promise<boolean> => {
  let ended = false
  void engine.exited.then(() => {
    ended = true
  })
  return withDeadline(START_DEADLINE_MS, undefined, async (signal) => {
    while (!ended) {
      const answer = store.command('SELECT 1', { signal, timeoutMs: ANSWER_MS })
      if ((await Promise.allSettled([answer]))[0].status === 'fulfilled') return true
      await systemClock.sleep(POLL_MS, signal)
    }
    return false
  })
}

/** The last statement of the engine sleeps permanently; this query ends it, and the engine exits cleanly. */
const END_STATEMENT = "KILL QUERY WHERE query LIKE 'SELECT sleepEachRow%' ASYNC"

const createClose = (engine: Engine, store: Store, logger: Logger) => {
  let closing: Promise<void> | undefined
  const end = async () => {
    engine.expectExit()
    try {
      await withDeadline(CLEAN_END_MS, undefined, async (signal) => {
        // It may end before it answers.
        await store.command(END_STATEMENT, { signal }).catch(() => undefined)
        await store.close()
        await engine.exited
      })
    } catch {
      logger.warn({ pid: engine.pid }, 'ended ClickHouse by force')
      await endByForce(engine)
      await store.close()
    }
  }
  return () => {
    closing ??= end()
    return closing
  }
}

const writeConfig = (
  paths: Paths,
  listen: Listen,
  { password, readers = [] }: Pick<EmbeddedClickHouseOptions, 'password' | 'readers'>,
): void => {
  const { usersFile, logFile } = paths
  const config = configXml({ ...listen, usersFile, logFile, memoryBytes: memoryLimit() })
  const functionFile = join(paths.storeDir, ...FILE_FUNCTION.path)
  makeDirectory(dirname(functionFile))
  writeFileSync(functionFile, FILE_FUNCTION.sql, { mode: 0o600 })
  writeFileSync(usersFile, usersXml(password, readers), { mode: 0o600 })
  writeFileSync(paths.configFile, config, { mode: 0o600 })
}

const listenFor = async (options: EmbeddedClickHouseOptions): Promise<Listen> => {
  const { host = LOOPBACK, tcpPort } = options
  return { host, httpPort: options.httpPort ?? (await findFreePort(host)), tcpPort }
}

const start = async (options: EmbeddedClickHouseOptions): Promise<EmbeddedClickHouse> => {
  const { password, logger } = options
  const paths = pathsIn(options.dataDir)
  const listen = await listenFor(options)
  const { httpPort, tcpPort } = listen
  writeConfig(paths, listen, options)
  const startedMs = performance.now()
  const url = `http://${listen.host}:${httpPort}`
  /** Its open connection answers while another user of the machine takes all that are not open. */
  const store = createStore({ url, username: ENGINE_USER, password })
  const readLogged = followFile(paths.logFile)
  const engine = spawnEngine(paths, tcpPort === undefined ? [] : ['native'])
  const failed = () => startError(paths.storeDir, engine.errorText(), readLogged())
  try {
    if (!(await awaitReady(engine, store))) throw failed()
    await checkParts(store, paths.storeDir)
  } catch (error) {
    await store.close()
    await endByForce(engine)
    throw hasCode(error, 'DEADLINE_EXCEEDED') ? failed() : error
  }
  const durationMs = Math.round(performance.now() - startedMs)
  logger.info({ pid: engine.pid, url, tcpPort, durationMs }, 'started ClickHouse')
  const { pid, exited } = engine
  return {
    url,
    username: ENGINE_USER,
    password,
    pid,
    httpPort,
    tcpPort,
    exited,
    isAnswering: store.isResponding,
    kill: () => endByForce(engine),
    close: createClose(engine, store, logger),
  }
}

/**
 * Resolves once it responds. Throws `DATA_DIR_DAMAGED` if it rejects its files, else
 * `ENGINE_FAILED` with its output.
 */
export const startEmbeddedClickHouse = (
  options: EmbeddedClickHouseOptions,
): Promise<EmbeddedClickHouse> =>
  retry(() => start(options), {
    ...policies.startEngine(START_DEADLINE_MS),
    signal: new AbortController().signal,
  })
