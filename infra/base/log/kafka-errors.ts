// Classifies a failed call to Kafka: fenced, refused, or unknown outcome.
import { AppError, hasCode } from '../runtime/errors.ts'
import { entryTooLarge } from './entry-size.ts'

/** Another process has taken the transactional id. The second code is newer than the table of the client. */
const FENCED = /INVALID_PRODUCER_EPOCH|PRODUCER_FENCED|Unknown error code 90\b/
/** A wrong login, a missing right or a certificate that is not trusted: waiting does not fix it. */
const REFUSED = /_AUTHORIZATION_FAILED|SASLAuthenticationError|_SASL_MECHANISM|certificate/
/** Errors that a retry does not change. */
const PERMANENT =
  /INVALID_(RECORD|TIMESTAMP|TOPIC_EXCEPTION|REQUIRED_ACKS|REQUEST|CONFIG|TRANSACTION_TIMEOUT)|UNSUPPORTED_(VERSION|FOR_MESSAGE_FORMAT|COMPRESSION_TYPE)|POLICY_VIOLATION|SECURITY_DISABLED/
/** Errors about the size of one record, and of all records of one send. */
const TOO_LARGE = /MESSAGE_TOO_LARGE|RECORD_LIST_TOO_LARGE/
const NO_TOPIC = /UNKNOWN_TOPIC_OR_PARTITION/
const OUT_OF_RANGE = /OFFSET_OUT_OF_RANGE/

type ErrorFields = { name?: unknown; type?: unknown; message?: unknown; cause?: unknown }

/** Causes can form a cycle. */
const MAX_CAUSES = 10

/** The error and its causes, outermost first. */
const listCauses = (error: unknown): ErrorFields[] => {
  const found: ErrorFields[] = []
  for (let at = error; typeof at === 'object' && at !== null && found.length < MAX_CAUSES; ) {
    const fields: ErrorFields = at
    found.push(fields)
    at = fields.cause
  }
  return found
}

/** The error or one of its causes matches. */
const matches = (error: unknown, ...patterns: RegExp[]): boolean =>
  listCauses(error).some(({ name, type, message }) =>
    patterns.some((pattern) => pattern.test(`${name} ${type} ${message}`)),
  )

export const isAbsentTopic = (error: unknown): boolean => matches(error, NO_TOPIC)
export const isOutOfRange = (error: unknown): boolean => matches(error, OUT_OF_RANGE)

const describe = (error: unknown): string => {
  const { type, message } = listCauses(error)[0] ?? {}
  return typeof type === 'string' ? `${type}: ${message}` : String(message ?? error)
}

/** Maps an error to the codes of `EventLog`. `what` is the action, in the infinitive. */
export const logError = (error: unknown, what: string): AppError => {
  const isAborted = hasCode(error, 'ABORTED')
  const isUnclear = isAborted || hasCode(error, 'DEADLINE_EXCEEDED')
  if (error instanceof AppError && !isUnclear) return error
  const message = `could not ${what}: ${describe(error)}`
  if (matches(error, FENCED)) {
    const taken = `could not ${what}: another writer took over`
    return new AppError('LOG_FENCED', taken, { cause: error })
  }
  if (matches(error, TOO_LARGE)) return entryTooLarge(message, error)
  const retryable = !isAborted && !matches(error, REFUSED, PERMANENT)
  return new AppError('LOG_UNAVAILABLE', message, { retryable, cause: error })
}
