// The interface of all logs: one totally ordered, append-only list of records.
// Callers do not depend on the implementation, Kafka or embedded.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { abortedError } from '../runtime/abort.ts'
import { AppError } from '../runtime/errors.ts'

/** An entry to append. `height` is for seeking, `timeMs` is the block time, `value` has the bytes of the event. */
export type LogEntry = { height: number; timeMs: number; value: Uint8Array }

/** A record of the log. Offsets grow but are not dense: never expect `offset + 1`. */
export type LogRecord = LogEntry & { offset: bigint }

export type ReadLimits = { maxRecords: number; maxBytes: number }

export type EventLog = {
  /**
   * Appends all entries or none, in order. Returns the offset after the last one.
   * Throws `LOG_ENTRY_TOO_LARGE` (permanent) if an entry is above `MAX_ENTRY_BYTES`.
   * Throws `LOG_FENCED` after another writer took over, and `LOG_FULL` if the disk is full.
   * Throws `LOG_UNAVAILABLE` (retryable) if the outcome is unknown: read `last()` before the next append.
   * A `LOG_UNAVAILABLE` that is not retryable was refused for a reason that no retry changes.
   */
  append(entries: readonly LogEntry[]): Promise<bigint>
  /**
   * Records from `from` on, at most `limits` (at least one record if there is any, however large).
   * Empty at the end of the log; does not wait.
   */
  read(from: bigint, limits: ReadLimits): Promise<readonly LogRecord[]>
  /** Resolves when there is a record at or after `from`, after `timeoutMs`, or when aborted. */
  waitFor(from: bigint, options: { timeoutMs: number; signal: AbortSignal }): Promise<void>
  /** The last record, or undefined in an empty log: the only cursor a writer has. */
  last(): Promise<LogRecord | undefined>
  /** The offset after the last readable record. */
  end(): Promise<bigint>
  /** The offset of the first record of the first height ≥ `height`, else `end()`. */
  offsetOfHeight(height: number): Promise<bigint>
  close(): Promise<void>
}

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

const LIMITS: ReadLimits = { maxRecords: 1_000, maxBytes: 4 * 2 ** 20 }

export type Walk = {
  from: bigint
  /** The offset at which reading stops; by default the end of the log. */
  until?: bigint
  signal?: AbortSignal
  limits?: ReadLimits
}

/** Batches in order, none of them empty. Throws `ABORTED` when the signal fires. */
export async function* recordsBetween(
  log: Pick<EventLog, 'read'>,
  { from, until, signal, limits = LIMITS }: Walk,
): AsyncGenerator<readonly LogRecord[]> {
  let offset = from
  while (until === undefined || offset < until) {
    if (signal?.aborted) throw abortedError(signal)
    const read = await log.read(offset, limits)
    const last = read.at(-1)
    if (!last) return
    const selected =
      until === undefined || last.offset < until ? read : read.filter((each) => each.offset < until)
    if (selected.length > 0) yield selected
    offset = last.offset + 1n
    // An embedded log never waits: without this turn, no signal would be processed.
    await nextTurn()
  }
}
