// The one limit on the size of an entry, the same in every log: what one log has, any other can take.
import { AppError } from '../runtime/errors.ts'
import type { LogEntry } from './event-log.ts'

/** A topic takes batches of 16 MiB: the rest is for what Kafka puts around an entry. */
export const MAX_ENTRY_BYTES = 15 * 2 ** 20

export const entryTooLarge = (detail: string, cause?: unknown): AppError =>
  new AppError('LOG_ENTRY_TOO_LARGE', `nothing was appended: ${detail}`, { cause })

/** Called before an append touches anything: `LOG_ENTRY_TOO_LARGE` where no log takes one of the entries. */
export const refuseLargeEntries = (entries: readonly LogEntry[]): void => {
  const large = entries.find(({ value }) => value.byteLength > MAX_ENTRY_BYTES)
  if (!large) return
  throw entryTooLarge(
    `an entry of height ${large.height} has ${large.value.byteLength} bytes; at most ${MAX_ENTRY_BYTES} are taken`,
  )
}
