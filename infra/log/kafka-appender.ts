// Appends to a topic that other processes write too. After an unknown outcome it searches the log before a retry.
// An acknowledged append is never lost, and none is duplicated.
import pLimit from 'p-limit'
import { systemClock } from '../runtime/clock.ts'
import { AppError, hasCode } from '../runtime/errors.ts'
import { retry, withDeadline } from '../runtime/retry.ts'
import type { LogEntry } from './event-log.ts'
import type { Partition } from './kafka-partition.ts'
import type { KafkaReader } from './kafka-reader.ts'
import type { KafkaWriter } from './kafka-writer.ts'

export type AppenderParts = {
  topic: string
  partition: Pick<Partition, 'writtenEnd'>
  tail: Pick<KafkaReader, 'stableEnd' | 'read'>
  writer: Pick<KafkaWriter, 'recover' | 'append'>
  /** The offset up to which this process has read or appended: its next append is after it. */
  seen: () => bigint
  signal: AbortSignal
  /** Time limit for the outcome of an append, while the caller waits. */
  appendMs?: number
}

const APPEND_MS = 5_000
const MAX_WAITING = 1_000
const DECIDED_PAUSE_MS = 50
const SEARCH = { maxRecords: 1_000, maxBytes: 4 * 2 ** 20 }
const PACE = { limit: Number.POSITIVE_INFINITY, baseDelayMs: 20, maxDelayMs: 500 }

const unavailable = (message: string, cause?: unknown): AppError =>
  new AppError('LOG_UNAVAILABLE', message, { cause })

/** Waits until everything written so far is decided. Returns the offset after the record with these bytes, if any. */
const findAppended = async (
  { partition, tail }: AppenderParts,
  { value }: LogEntry,
  { from, signal }: { from: bigint; signal: AbortSignal },
): Promise<bigint | undefined> => {
  const written = await partition.writtenEnd()
  while ((await tail.stableEnd()) < written) await systemClock.sleep(DECIDED_PAUSE_MS, signal)
  for (let at = from; ; ) {
    const records = await tail.read(at, SEARCH)
    const found = records.find((record) => Buffer.compare(record.value, value) === 0)
    if (found) return found.offset + 1n
    const last = records.at(-1)
    if (!last) return undefined
    at = last.offset + 1n
  }
}

export const createAppender = (parts: AppenderParts) => {
  const { topic, writer, signal, appendMs = APPEND_MS } = parts
  const inTurn = pLimit(1)

  const untilKnown = (entries: readonly LogEntry[], ending: AbortSignal): Promise<bigint> => {
    const search = { from: parts.seen(), signal: ending }
    const once = async (attempt: number): Promise<bigint> => {
      // Decides open transactions of this process: none may be committed later or block a reader.
      await writer.recover()
      const last = entries.at(-1)
      // Transactions are atomic: if the log has the last record, it has all of them.
      const found = attempt > 1 && last ? await findAppended(parts, last, search) : undefined
      if (found !== undefined) return found
      // The deadline has passed: this append must not follow a later one.
      if (ending.aborted) throw unavailable('the deadline passed before the append')
      return await writer.append(entries)
    }
    return retry(once, { ...PACE, budgetMs: appendMs, signal: ending })
  }
  return async (entries: readonly LogEntry[]): Promise<bigint> => {
    if (inTurn.pendingCount >= MAX_WAITING) {
      throw unavailable(`too many appends to ${topic} are waiting`)
    }
    const untilMs = performance.now() + appendMs
    const turn = async (): Promise<bigint> => {
      const leftMs = untilMs - performance.now()
      // The deadline of the caller has passed.
      if (leftMs <= 0) throw unavailable(`had no turn to append to ${topic}`)
      return await withDeadline(leftMs, signal, (ending) => untilKnown(entries, ending))
    }
    try {
      return await inTurn(turn)
    } catch (error) {
      // Not retryable by the caller: only this module can search the log before a retry.
      if (hasCode(error, 'CONFIG_INVALID') || hasCode(error, 'LOG_ENTRY_TOO_LARGE')) throw error
      throw unavailable(`could not append to ${topic}, or its outcome is not known`, error)
    }
  }
}
