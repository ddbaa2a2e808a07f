// Why the embedded ClickHouse cannot be used: damaged files, a used port, or another reason.
import { AppError } from '../runtime/errors.ts'
import type { Store } from './client.ts'

const PORT_TAKEN = /Address already in use|EADDRINUSE|NETWORK_ERROR.*bind/i

/** Names of the ClickHouse errors that only damaged files have. */
const DAMAGE =
  /CORRUPTED_DATA|CHECKSUM_DOESNT_MATCH|SUSPICIOUSLY|TOO_MANY_UNEXPECTED_DATA_PARTS|BAD_DATA_PART_NAME|NO_FILE_IN_DATA_PART|CANNOT_DECOMPRESS|broken part/i

/** Errors of a damaged file, but also of a wrong setting: the message of the first one names a file of the store. */
const UNREADABLE =
  /Code: \d+\. DB::Exception: [\s\S]*?\((?:ATTEMPT_TO_READ_AFTER_EOF|UNEXPECTED_END_OF_FILE|CANNOT_PARSE|CANNOT_READ_ALL_DATA|SYNTAX_ERROR|FILE_DOESNT_EXIST|UNKNOWN_FORMAT_VERSION|INCORRECT_DATA|EMPTY_DATA_PASSED)/g

/** A path below the directory of the engine, absolute or relative. */
const RELATIVE_PATH = /(?:^|[\s'"`(])((?:metadata|store|data)\/[^\s:'"`,;()]+)/

const firstLines = (text: string): string =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('Logging '))
    .slice(0, 8)
    .join('\n')
    .slice(0, 2_000)

const PATH_PATTERNS = [
  /Detaching broken part ([^\s'"`,;()]+)/,
  /(?:in file|from file|metadata file) ([^\s:'"`,;()]+)/,
]

const toAbsolute = (storeDir: string, file: string): string => {
  const path = file.replace(/\.$/, '')
  return path.startsWith('/') ? path : `${storeDir}/${path}`
}

const findUnreadable = (storeDir: string, text: string): string | undefined => {
  for (const [message] of text.matchAll(UNREADABLE)) {
    const at = message.indexOf(`${storeDir}/`)
    const absolute = at < 0 ? undefined : /^[^\s:'"`,;()]+/.exec(message.slice(at))?.[0]
    const file = absolute ?? RELATIVE_PATH.exec(message)?.[1]
    if (file !== undefined) return toAbsolute(storeDir, file)
  }
  return undefined
}

/** The damaged file, or the whole directory if the message names none; undefined without damage. */
const findDamage = (storeDir: string, text: string): string | undefined => {
  const unreadable = findUnreadable(storeDir, text)
  if (unreadable === undefined && !DAMAGE.test(text)) return undefined
  for (const pattern of PATH_PATTERNS) {
    const [, file] = pattern.exec(text) ?? []
    if (file !== undefined) return toAbsolute(storeDir, file)
  }
  return unreadable ?? storeDir
}

const damaged = (storeDir: string, what: string, reason = ''): AppError =>
  new AppError(
    'DATA_DIR_DAMAGED',
    `the read store is damaged: ${what}. Remove the directory ${storeDir}; the next start rebuilds it from the event log. ${reason}`.trim(),
    { expose: true },
  )

/** `said` is its output on standard error, `logged` its log lines since the start. */
export const startError = (storeDir: string, said: string, logged: string): AppError => {
  const text = `${said}\n${logged}`
  const lines = firstLines(said)
  const reason = lines || 'no output'
  if (PORT_TAKEN.test(text)) {
    return new AppError('ENGINE_FAILED', `the port of ClickHouse is in use: ${reason}`, {
      retryable: true,
    })
  }
  const file = findDamage(storeDir, text)
  if (file !== undefined) return damaged(storeDir, file, reason)
  // An engine that cannot run reports the reason; a killed one does not.
  const retryable = lines === ''
  return new AppError('ENGINE_FAILED', `ClickHouse did not start: ${reason}`, { retryable })
}

/** A larger store is only checked when it is read: the check must not delay a start. */
const MAX_CHECKED_BYTES = 512 * 1024 * 1024
const CHECK_TIMEOUT_MS = 60_000

type CheckRow = {
  database: string
  table: string
  part_path: string
  is_passed: number
  message: string
}

const readPartPath = async (store: Store, row: CheckRow): Promise<string> => {
  const [part] = await store.select<{ path: string }>(
    `SELECT path FROM system.parts
     WHERE database = {database:String} AND table = {table:String} AND name = {part_path:String}`,
    row,
  )
  return part?.path ?? `${row.database}.${row.table} ${row.part_path}`
}

/** Throws `DATA_DIR_DAMAGED` with the first part that does not match its checksums: the engine itself checks data only when it reads it. */
export const checkParts = async (store: Store, storeDir: string): Promise<void> => {
  const [size] = await store.select<{ bytes: string }>(
    'SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE active',
  )
  const bytes = Number(size?.bytes ?? 0)
  if (bytes === 0 || bytes > MAX_CHECKED_BYTES) return
  const settings = { check_query_single_value_result: 0 }
  const options = { timeoutMs: CHECK_TIMEOUT_MS, settings }
  const rows = await store.select<CheckRow>('CHECK ALL TABLES', {}, options)
  const failed = rows.find((row) => !row.is_passed)
  if (failed) throw damaged(storeDir, `${await readPartPath(store, failed)}: ${failed.message}`)
}
