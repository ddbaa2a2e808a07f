// Opens the embedded or Kafka event log for a command: shared for reading, or exclusive for writing.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { EMBEDDED_LOG_FILE, openEmbeddedLog } from '../../base/log/embedded-log.ts'
import type { EventLog } from '../../base/log/event-log.ts'
import { readKafkaConfig, usesKafka } from '../../base/log/kafka-settings.ts'
import type { Environment } from '../../base/runtime/config.ts'
import { AppError } from '../../base/runtime/errors.ts'
import { createLogger } from '../../base/runtime/logger.ts'
import { isOurs, openDataDir, resolveDataPaths } from '../data-dir/data-dir.ts'
import { readMachineConfig } from '../machine-settings.ts'
import type { CommandContext } from './command.ts'

export type OpenedLog = {
  log: EventLog
  /** Description of the log for messages. */
  name: string
  /** Closes the log and releases its lock. */
  close(): Promise<void>
}

/** The required members of the command context. */
type Access = Pick<CommandContext, 'env' | 'terminal'>
type Purpose = 'read' | 'write'

/** Part of the topic name in Kafka. */
export const readChainId = (env: Environment): string => {
  const chainId = (env['CHAIN_ID'] ?? '').trim()
  if (chainId !== '') return chainId
  throw new AppError(
    'CONFIG_INVALID',
    'CHAIN_ID is not set: it is part of the topic name in Kafka',
    {
      expose: true,
    },
  )
}

/** Writing fences the current writer: stop its ingest first, or it takes over again. */
const openFromKafka = async ({ env, terminal }: Access, purpose: Purpose): Promise<OpenedLog> => {
  const { openKafkaLog } = await import('../../base/log/kafka-log.ts')
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

const absent = (path: string): AppError =>
  new AppError(
    'NOT_IN_LOG',
    `no event log in ${path}: set DATA_DIR, or run "rollcall start" first`,
    { expose: true },
  )

const openToRead = async (dataDir: string): Promise<OpenedLog> => {
  const { path, logPath } = resolveDataPaths(dataDir)
  const isThere = existsSync(path) && isOurs(path) && existsSync(join(logPath, EMBEDDED_LOG_FILE))
  if (!isThere) throw absent(path)
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
export const openLog = async (access: Access, purpose: Purpose = 'read'): Promise<OpenedLog> => {
  if (usesKafka(access.env)) return await openFromKafka(access, purpose)
  const { dataDir } = readMachineConfig(access.env)
  return purpose === 'read' ? await openToRead(dataDir) : await openToWrite(dataDir)
}
