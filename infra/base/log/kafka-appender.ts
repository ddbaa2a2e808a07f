// Appends to a topic that other processes write too. After an unknown outcome it searches the log before a retry.
// An acknowledged append is never lost, and none is duplicated.
import pLimit from 'p-limit'
import { AppError, hasCode } from '../runtime/errors.ts'
import { policies } from '../runtime/policies.ts'
import { retry, withDeadline } from '../runtime/retry.ts'
import type { LogEntry } from './event-log.ts'
import { type Partition, untilDecided } from './kafka-partition.ts'
import type { KafkaReader } from './kafka-reader.ts'
import type { KafkaWriter } from './kafka-writer.ts'
import { recordsBetween } from './records-between.ts'

export type AppenderParts = {
  topic: string
  partition: Pick<Partition, 'bounds' | 'fetch'>
  tail: Pick<KafkaReader, 'read'>
  writer: KafkaWriter
  signal: AbortSignal
  /** Time limit for the outcome of an append, while the caller waits. */
  appendMs?: number
}

const APPEND_MS = 5_000
const MAX_WAITING = 1_000

const unavailable = (message: string, cause?: unknown): AppError =>
  new AppError('LOG_UNAVAILABLE', message, { cause })

/** Waits until everything written so far is decided. Returns the offset after the record with these bytes, if any. */
const findAppended = async (
  { partition, tail }: AppenderParts,
  { value }: LogEntry,
  { from, signal }: { from: bigint; signal: AbortSignal },
): Promise<bigint | undefined> => {
  const { writtenEnd } = await partition.fetch(from, { maxBytes: 1, waitMs: 0 })
  if (writtenEnd > from) await untilDecided(partition, writtenEnd, signal)
  for await (const records of recordsBetween(tail, { from, signal })) {
    const found = records.find((record) => Buffer.compare(record.value, value) === 0)
    if (found) return found.offset + 1n
  }
  return undefined
}

export const createAppender = (parts: AppenderParts) => {
  const { topic, partition, writer, signal, appendMs = APPEND_MS } = parts
  const inTurn = pLimit(1)

  /** The next append of this process is at or after this offset. */
  let from: bigint | undefined

  const untilKnown = async (entries: readonly LogEntry[], ending: AbortSignal): Promise<bigint> => {
    let isRetry = false
    const once = async (): Promise<bigint> => {
      // Decides open transactions of this process: none may be committed later or block a reader.
      await writer.recover()
      const last = entries.at(-1)
      // Transactions are atomic: if the log has the last record, it has all of them.
      if (isRetry && from !== undefined && last) {
        const found = await findAppended(parts, last, { from, signal: ending })
        if (found !== undefined) return found
      }
      from ??= (await partition.bounds()).end
      // The deadline has passed: this append must not follow a later one.
      if (ending.aborted) throw unavailable('the deadline passed before the append')
      isRetry = true
      return await writer.append(entries)
    }
    from = await retry(once, { ...policies.kafkaSharedAppend(appendMs), signal: ending })
    return from
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
