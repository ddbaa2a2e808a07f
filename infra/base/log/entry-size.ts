// The limit on the size of an entry, the same in every log, so that every log can store the entries of another.
import { AppError } from '../runtime/errors.ts'
import type { LogEntry } from './event-log.ts'

/** A topic accepts batches of 16 MiB: the rest is for the overhead of Kafka. */
export const MAX_ENTRY_BYTES = 15 * 2 ** 20

export const entryTooLarge = (detail: string, cause?: unknown): AppError =>
  new AppError('LOG_ENTRY_TOO_LARGE', `nothing was appended: ${detail}`, { cause })

/** Call it before an append changes anything. Throws `LOG_ENTRY_TOO_LARGE` if an entry exceeds the limit. */
export const refuseLargeEntries = (entries: readonly LogEntry[]): void => {
  const large = entries.find(({ value }) => value.byteLength > MAX_ENTRY_BYTES)
  if (!large) return
  throw entryTooLarge(
    `an entry of height ${large.height} has ${large.value.byteLength} bytes; at most ${MAX_ENTRY_BYTES} are taken`,
  )
}
