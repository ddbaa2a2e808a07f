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

type ErrorFields = { name?: unknown; type?: unknown; message?: unknown; cause?: unknown }

/** The error and its causes, outermost first. */
const listCauses = (error: unknown): ErrorFields[] => {
  const found: ErrorFields[] = []
  for (let at = error; typeof at === 'object' && at !== null && found.length < 10; ) {
    found.push(at as ErrorFields)
    at = (at as ErrorFields).cause
  }
  return found
}

const matchesError = (error: unknown, pattern: RegExp): boolean =>
  listCauses(error).some(({ name, type, message }) => pattern.test(`${name} ${type} ${message}`))

const isFenced = (error: unknown): boolean => matchesError(error, FENCED)
const isRefused = (error: unknown): boolean =>
  matchesError(error, REFUSED) || matchesError(error, PERMANENT)
export const isAbsentTopic = (error: unknown): boolean => matchesError(error, NO_TOPIC)
export const isOutOfRange = (error: unknown): boolean => matchesError(error, /OFFSET_OUT_OF_RANGE/)

const describeReason = (error: unknown): string => {
  const { type, message } = listCauses(error)[0] ?? {}
  return typeof type === 'string' ? `${type}: ${message}` : String(message ?? error)
}

/** Maps an error to the codes of `EventLog`. `what` is the action, in the infinitive. */
export const logError = (error: unknown, what: string): AppError => {
  if (error instanceof AppError && !hasCode(error, 'DEADLINE_EXCEEDED')) return error
  if (isFenced(error)) {
    return new AppError('LOG_FENCED', `could not ${what}: another writer took over`, {
      cause: error,
    })
  }
  if (matchesError(error, TOO_LARGE)) {
    return entryTooLarge(`could not ${what}: ${describeReason(error)}`, error)
  }
  return new AppError('LOG_UNAVAILABLE', `could not ${what}: ${describeReason(error)}`, {
    retryable: !isRefused(error),
    cause: error,
  })
}
