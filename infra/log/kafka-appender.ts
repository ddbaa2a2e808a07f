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
  /** All that this process had read or appended at this moment: what it appends next lies after it. */
  seen: () => bigint
  signal: AbortSignal
  /** For how long an outcome is sought: the caller waits for it. */
  appendMs?: number
}

const APPEND_MS = 5_000
const MAX_WAITING = 1_000
const DECIDED_PAUSE_MS = 50
const SEARCH = { maxRecords: 1_000, maxBytes: 4 * 2 ** 20 }
const PACE = { limit: Number.POSITIVE_INFINITY, baseDelayMs: 20, maxDelayMs: 500 }

const unavailable = (message: string, cause?: unknown): AppError =>
  new AppError('LOG_UNAVAILABLE', message, { cause })

/** The offset after the record with these bytes, once everything is decided that was written until now. */
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
      // Decides what this process left undecided, so that it can neither be committed later nor block a reader.
      await writer.recover()
      const last = entries.at(-1)
      // Transactions are whole: where the last record is, all of them are.
      const found = attempt > 1 && last ? await findAppended(parts, last, search) : undefined
      if (found !== undefined) return found
      // Given up meanwhile: the next append must not be overtaken by it.
      if (ending.aborted) throw unavailable('gave up before it was appended')
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
      // Its caller has been answered by now.
      if (leftMs <= 0) throw unavailable(`had no turn to append to ${topic}`)
      return await withDeadline(leftMs, signal, (ending) => untilKnown(entries, ending))
    }
    try {
      return await inTurn(turn)
    } catch (error) {
      // Never retryable as it is: only what is in here knows where to look for it first.
      if (hasCode(error, 'CONFIG_INVALID') || hasCode(error, 'LOG_ENTRY_TOO_LARGE')) throw error
      throw unavailable(`could not append to ${topic}, or its outcome is not known`, error)
    }
  }
}
