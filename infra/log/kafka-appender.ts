// Appends to a topic that others write too. An append whose outcome is not known is looked for in the log before it is
// tried again: never lost where it was answered, never doubled.
import pLimit from 'p-limit'
import { systemClock } from '../runtime/clock.ts'
import { AppError, hasCode } from '../runtime/errors.ts'
import { retry, withDeadline } from '../runtime/retry.ts'
import type { LogEntry } from './event-log.ts'
import type { Partition } from './kafka-partition.ts'
import type { KafkaReader } from './kafka-reader.ts'
import type { KafkaWriter } from './kafka-writer.ts'

/** Whoever appends waits for the answer: a process that cannot give it says so. */
const APPEND_MS = 5_000
const MAX_WAITING = 1_000
const DECIDED_PAUSE_MS = 50
const SEARCH = { maxRecords: 1_000, maxBytes: 4 * 2 ** 20 }

const unavailable = (message: string, cause?: unknown): AppError =>
  new AppError('LOG_UNAVAILABLE', message, { cause })

export type AppenderParts = {
  topic: string
  partition: Pick<Partition, 'writtenEnd'>
  tail: Pick<KafkaReader, 'stableEnd' | 'read'>
  writer: Pick<KafkaWriter, 'settle' | 'append'>
  /** All that this process had read or appended when it was asked: what it appends next lies after it. */
  seen: () => bigint
  signal: AbortSignal
  /** For how long an outcome is sought. */
  appendMs?: number
}

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

/** Transactions are whole: where its last record is, all of them are. */
const appendOnce = async (
  parts: AppenderParts,
  entries: readonly LogEntry[],
  search: { from: bigint; isNeeded: boolean; signal: AbortSignal },
): Promise<bigint> => {
  // Decides what this process left undecided, so that it can neither come through later nor hold up anybody.
  await parts.writer.settle()
  const last = entries.at(-1)
  const found = search.isNeeded && last ? await findAppended(parts, last, search) : undefined
  if (found !== undefined) return found
  // Given up meanwhile: what comes after it must not be overtaken by it.
  if (search.signal.aborted) throw unavailable('gave up before it was appended')
  return await parts.writer.append(entries)
}

export const createAppender = (parts: AppenderParts) => {
  const { appendMs = APPEND_MS } = parts
  const inTurn = pLimit(1)
  let waiting = 0
  const untilKnown = (entries: readonly LogEntry[], from: bigint, signal: AbortSignal) =>
    retry((attempt) => appendOnce(parts, entries, { from, isNeeded: attempt > 1, signal }), {
      ...{ limit: Number.POSITIVE_INFINITY, budgetMs: appendMs },
      ...{ baseDelayMs: 20, maxDelayMs: 500, signal },
    })
  return async (entries: readonly LogEntry[]): Promise<bigint> => {
    const { topic, signal } = parts
    if (waiting >= MAX_WAITING) throw unavailable(`too many appends to ${topic} are waiting`)
    const untilMs = performance.now() + appendMs
    waiting++
    try {
      return await inTurn(async () => {
        const leftMs = untilMs - performance.now()
        // Nobody waits for it any more.
        if (leftMs <= 0) throw unavailable(`had no turn to append to ${topic}`)
        const from = parts.seen()
        return await withDeadline(leftMs, signal, (ending) => untilKnown(entries, from, ending))
      })
    } catch (error) {
      // Never to be tried again as it is: only what is in here knows where to look for it first.
      if (hasCode(error, 'CONFIG_INVALID') || hasCode(error, 'LOG_ENTRY_TOO_LARGE')) throw error
      throw unavailable(`could not append to ${topic}, or do not know of it`, error)
    } finally {
      waiting--
    }
  }
}
