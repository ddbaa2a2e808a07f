// Classifies why the embedded ClickHouse does not start: damaged files, a used port, or another reason. Pure.
import { AppError } from '../runtime/errors.ts'

const PORT_TAKEN = /Address already in use|EADDRINUSE|NETWORK_ERROR.*bind/i

/** Names of the ClickHouse errors for damaged files. */
const DAMAGE =
  /CORRUPTED_DATA|CHECKSUM_DOESNT_MATCH|SUSPICIOUSLY|TOO_MANY_UNEXPECTED_DATA_PARTS|BAD_DATA_PART_NAME|ATTEMPT_TO_READ_AFTER_EOF|UNEXPECTED_END_OF_FILE|CANNOT_PARSE|CANNOT_READ_ALL_DATA|SYNTAX_ERROR|FILE_DOESNT_EXIST|NO_FILE_IN_DATA_PART|UNKNOWN_FORMAT_VERSION|INCORRECT_DATA|EMPTY_DATA_PASSED|CANNOT_DECOMPRESS|broken part/i

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

/** The file that the message names, else the whole directory. */
const fileIn = (storeDir: string, text: string): string => {
  for (const pattern of PATH_PATTERNS) {
    const [, file] = pattern.exec(text) ?? []
    if (file === undefined) continue
    const path = file.replace(/\.$/, '')
    return path.startsWith('/') ? path : `${storeDir}/${path}`
  }
  return storeDir
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
  if (DAMAGE.test(text)) {
    return new AppError(
      'DATA_DIR_DAMAGED',
      `the read store is damaged: ${fileIn(storeDir, text)}. Remove the directory ${storeDir}; the next start rebuilds it from the event log. ${reason}`,
      { expose: true },
    )
  }
  // An engine that cannot run reports the reason; a killed one does not.
  const retryable = lines === ''
  return new AppError('ENGINE_FAILED', `ClickHouse did not start: ${reason}`, { retryable })
}
