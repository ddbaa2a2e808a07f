// The port every log stands behind: one totally ordered, append-only list of records.
// Nothing above this file knows whether Kafka or the embedded log is behind it.

/** What is appended. `height` seeks, `timeMs` is the block's time; `value` is the event's bytes. */
export type LogEntry = { height: number; timeMs: number; value: Uint8Array }

/** What is read. Offsets grow but are not dense: never expect `offset + 1`. */
export type LogRecord = LogEntry & { offset: bigint }

export type ReadLimits = { maxRecords: number; maxBytes: number }

export type EventLog = {
  /**
   * Appends all entries or none, in order. Returns the offset after the last one.
   * Throws `LOG_ENTRY_TOO_LARGE` (permanent) where one of them is above `MAX_ENTRY_BYTES`,
   * `LOG_FENCED` when another writer took over, `LOG_FULL` when the disk has no room,
   * `LOG_UNAVAILABLE` (retryable) when the outcome is unknown: read `last()` again before going on.
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
  /** The offset of the first record of the first height ≥ `height`; `end()` where there is none. */
  offsetOfHeight(height: number): Promise<bigint>
  close(): Promise<void>
}
