// Classifies why the embedded ClickHouse does not start: damaged files, a used port, or another reason. Pure.
import { AppError } from '../runtime/errors.ts'

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
  const damaged = findDamage(storeDir, text)
  if (damaged !== undefined) {
    return new AppError(
      'DATA_DIR_DAMAGED',
      `the read store is damaged: ${damaged}. Remove the directory ${storeDir}; the next start rebuilds it from the event log. ${reason}`,
      { expose: true },
    )
  }
  // An engine that cannot run reports the reason; a killed one does not.
  const retryable = lines === ''
  return new AppError('ENGINE_FAILED', `ClickHouse did not start: ${reason}`, { retryable })
}
