// Opens the data of a deployment for a command: the event log, shared for reading or exclusive for writing, the store, and the API.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { checkLogin } from '../base/clickhouse/check-server.ts'
import { createStore, type Store } from '../base/clickhouse/client.ts'
import { readStoreAccess, type StoreAccess } from '../base/clickhouse/settings.ts'
import { EMBEDDED_LOG_FILE, openEmbeddedLog } from '../base/log/embedded-log.ts'
import type { EventLog } from '../base/log/event-log.ts'
import { readKafkaConfig, usesKafka } from '../base/log/kafka-settings.ts'
import type { Environment } from '../base/runtime/config.ts'
import { AppError } from '../base/runtime/errors.ts'
import { createLogger } from '../base/runtime/logger.ts'
import {
  describeNotServing,
  isOurs,
  openDataDir,
  type RunInfo,
  readRunFile,
  resolveDataPaths,
} from './data-dir.ts'
import { readDataDir } from './machine-settings.ts'
import type { Terminal } from './terminal/terminal.ts'

export type OpenedLog = {
  log: EventLog
  /** Description of the log for messages. */
  name: string
  /** Closes the log and releases its lock. */
  close(): Promise<void>
}

type Access = { env: Environment; terminal: Pick<Terminal, 'log'> }
type Purpose = 'read' | 'write'

/** Part of the topic name in Kafka. */
export function readChainId(env: Environment): string {
  const chainId = (env['CHAIN_ID'] ?? '').trim()
  if (chainId !== '') return chainId
  const message = 'CHAIN_ID is not set: it is part of the topic name in Kafka'
  throw new AppError('CONFIG_INVALID', message, { expose: true })
}

/** Writing fences the current writer: stop its ingest first, or it takes over again. */
const openFromKafka = async ({ env, terminal }: Access, purpose: Purpose): Promise<OpenedLog> => {
  const { openKafkaLog } = await import('../base/log/kafka-log.ts')
  const chainId = readChainId(env)
  const settings = readKafkaConfig(env)
  const logger = createLogger({
    service: 'log',
    level: 'warn',
    destination: { write: (text) => terminal.log(text.trimEnd()) },
  })
  const log = await openKafkaLog({ settings, chainId, logger, readOnly: purpose === 'read' })
  const name = `the topic of ${chainId} at ${settings.brokers.join(', ')}`
  return { log, name, close: () => log.close() }
}

function noEventLog(path: string): AppError {
  const message = `no event log in ${path}: set DATA_DIR, or run "rollcall start" first`
  return new AppError('NOT_IN_LOG', message, { expose: true })
}

const openToRead = async (dataDir: string): Promise<OpenedLog> => {
  const { path, logPath } = resolveDataPaths(dataDir)
  const isThere = existsSync(path) && isOurs(path) && existsSync(join(logPath, EMBEDDED_LOG_FILE))
  if (!isThere) throw noEventLog(path)
  const log = await openEmbeddedLog({ path: logPath, readOnly: true })
  return { log, name: logPath, close: () => log.close() }
}

const openToWrite = async (dataDir: string): Promise<OpenedLog> => {
  const directory = await openDataDir(dataDir)
  try {
    const log = await openEmbeddedLog({ path: directory.logPath })
    const close = async () => {
      await log.close()
      await directory.release()
    }
    return { log, name: directory.logPath, close }
  } catch (error) {
    await directory.release()
    throw error
  }
}

/** Writing takes the lock of the data directory: `DATA_DIR_LOCKED` if a supervisor has it. */
export async function openLog(access: Access, purpose: Purpose = 'read'): Promise<OpenedLog> {
  if (usesKafka(access.env)) return await openFromKafka(access, purpose)
  const dataDir = readDataDir(access.env)
  return purpose === 'read' ? await openToRead(dataDir) : await openToWrite(dataDir)
}

/** The Rollcall that runs in the data directory. `others` names what can be set instead. */
export function requireRunning(env: Environment, others: string): RunInfo {
  const dataDir = readDataDir(env)
  const running = readRunFile(dataDir)
  if (running) return running
  const message = `${describeNotServing(dataDir)}. Or ${others}`
  throw new AppError('EVIDENCE_UNAVAILABLE', message, { expose: true })
}

/** Runs `work` with the store of CLICKHOUSE_URL, else with that of the Rollcall in the data directory. Throws as `checkLogin` does. */
export async function withStore<T>(
  env: Environment,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const access: StoreAccess =
    readStoreAccess(env) ?? requireRunning(env, 'set DATA_DIR or CLICKHOUSE_URL').clickhouse
  const store = createStore(access)
  try {
    await checkLogin(store, access)
    return await work(store)
  } finally {
    await store.close()
  }
}
