// How a command opens the event log, whichever kind is set up: to read beside whoever writes, or to write alone.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isOurs, openDataDir, placesIn } from '../data-dir.ts'
import { readHolder } from '../data-dir-lock.ts'
import { openEmbeddedLog } from '../log/embedded-log.ts'
import type { EventLog } from '../log/event-log.ts'
import { checkLogFile } from '../log/log-file-check.ts'
import type { Environment } from '../runtime/config.ts'
import { AppError } from '../runtime/errors.ts'
import { readMachineConfig } from '../supervisor/settings.ts'

export type OpenedLog = {
  log: EventLog
  /** For a person: which log this is. */
  name: string
  /** The log, and what was taken with it. */
  close(): Promise<void>
}

type Purpose = 'read' | 'write'

/** Several brokers or none: the one setting that decides where the log is. */
const usesKafka = (env: Environment): boolean => (env['KAFKA_BROKERS'] ?? '').trim() !== ''

/** The one place where a command reaches the log in Kafka. */
const openFromKafka = (_env: Environment, _purpose: Purpose): Promise<OpenedLog> =>
  Promise.reject(
    new AppError('CONFIG_INVALID', 'KAFKA_BROKERS: no command can open a log in Kafka yet', {
      expose: true,
    }),
  )

const absent = (path: string): AppError =>
  new AppError(
    'NOT_IN_LOG',
    `there is no event log in ${path}: set DATA_DIR, or run "rollcall start" first`,
    { expose: true },
  )

const openToRead = async (dataDir: string): Promise<OpenedLog> => {
  const { path, logPath } = placesIn(dataDir)
  const file = join(logPath, 'data.mdb')
  if (!existsSync(path) || !isOurs(path) || !existsSync(file)) throw absent(path)
  // A damaged file ends the process that maps it; looked at closely only where nobody writes.
  const problem = checkLogFile(file, { deep: readHolder(path) === undefined })
  if (problem) {
    throw new AppError('LOG_DAMAGED', `the event log is damaged: ${file}: ${problem}`, {
      expose: true,
    })
  }
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

/** To write takes the data directory's lock: `DATA_DIR_LOCKED` where a supervisor has it. */
export const openLog = async (env: Environment, purpose: Purpose = 'read'): Promise<OpenedLog> => {
  if (usesKafka(env)) return await openFromKafka(env, purpose)
  const { dataDir } = readMachineConfig(env)
  return purpose === 'read' ? await openToRead(dataDir) : await openToWrite(dataDir)
}
