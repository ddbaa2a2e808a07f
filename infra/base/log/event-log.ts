// The interface of all logs: one totally ordered, append-only list of records.
// Callers do not depend on the implementation, Kafka or embedded.

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
