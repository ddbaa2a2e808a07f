// Reads a topic in order. It caches the last fetch, so that small steps need no calls, and the last record.
import pLimit from 'p-limit'
import { AppError } from '../runtime/errors.ts'
import { withDeadline } from '../runtime/retry.ts'
import type { EventLog, LogRecord, ReadLimits } from './event-log.ts'
import type { Fetched, FetchLimits, Partition } from './kafka-partition.ts'

export type KafkaReader = Omit<EventLog, 'append' | 'close'>

const LEAST_FETCH_BYTES = 64 * 1024
const MOST_FETCH_BYTES = 8 * 2 ** 20
/** Limit of one call while waiting: short, because reads use the same connection after it. */
const POLL = { maxBytes: 1, waitMs: 250 }
/** Some seconds. */
const MAX_POLLS = 40
/** First range of the search for the last record: markers and aborted records may follow it. */
const TAIL_RECORDS = 64n

const greater = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/** `closing` ends every wait. */
export function createKafkaReader(partition: Partition, closing: AbortSignal): KafkaReader {
  /** The last fetch: `records` are exactly the readable records in [from, next). */
  let window = { from: 0n, next: 0n, records: [] as LogRecord[] }
  /** There is no readable record between this one and `end`. */
  let tail: { end: bigint; record: LogRecord | undefined } = { end: 0n, record: undefined }

  /** The cached records from `from` on, and the first unknown offset. */
  const cached = (from: bigint): { records: LogRecord[]; next: bigint } => {
    if (from < window.from || from > window.next) return { records: [], next: from }
    return { records: window.records.filter(({ offset }) => offset >= from), next: window.next }
  }
  /** One call at the first unknown offset at or after `from`. */
  const advance = async (from: bigint, limits: FetchLimits): Promise<Fetched> => {
    const { next, records } = cached(from)
    const fetched = await partition.fetch(next, limits)
    // If nothing is readable between `from` and `next`, the new window begins at `from`.
    window = { from: records.length === 0 ? from : next, ...fetched }
    return fetched
  }
  /** The records from `from` to the end: the cached ones, then those of one fetch after the other. */
  async function* batches(from: bigint, maxBytes: number): AsyncGenerator<readonly LogRecord[]> {
    const { records, next } = cached(from)
    yield records
    for (let at = records.length === 0 ? from : next; ; ) {
      const before = cached(at).next
      const fetched = await advance(at, { maxBytes, waitMs: 0 })
      yield fetched.records
      if (fetched.next === before || fetched.next >= fetched.stableEnd) return
      at = fetched.next
    }
  }
  const read = async (from: bigint, limits: ReadLimits): Promise<readonly LogRecord[]> => {
    const maxBytes = Math.min(Math.max(limits.maxBytes, LEAST_FETCH_BYTES), MOST_FETCH_BYTES)
    const taken: LogRecord[] = []
    let bytes = 0
    for await (const records of batches(from, maxBytes)) {
      for (const record of records) {
        bytes += record.value.byteLength
        if (taken.length > 0 && bytes > limits.maxBytes) return taken
        taken.push(record)
        if (taken.length >= limits.maxRecords || bytes >= limits.maxBytes) return taken
      }
    }
    return taken
  }
  /** The last record from `from` on, of at least all before `end`. */
  const lastFrom = async (from: bigint, end: bigint): Promise<LogRecord | undefined> => {
    let found: LogRecord | undefined
    for await (const records of batches(from, MOST_FETCH_BYTES)) found = records.at(-1) ?? found
    // A broker that has just begun to lead may know less of what is committed than the one before.
    for (let { next } = cached(from), polls = 0; next < end; polls++) {
      if (polls >= MAX_POLLS) {
        const message = `the broker returns nothing after offset ${next}, of ${end} that are committed`
        throw new AppError('LOG_UNAVAILABLE', message, { retryable: true })
      }
      const fetched = await advance(next, POLL)
      found = fetched.records.at(-1) ?? found
      next = fetched.next
    }
    return found
  }
  const last = async (): Promise<LogRecord | undefined> => {
    const { start, end } = await partition.bounds()
    const searched = greater(start, tail.end)
    for (let back = TAIL_RECORDS; tail.end < end; back *= 8n) {
      const from = greater(searched, end - back)
      const record = await lastFrom(from, end)
      if (record || from === searched) tail = { end, record: record ?? tail.record }
    }
    return tail.record
  }
  /** Exact for any record times, because heights grow with the offsets. */
  const offsetOfHeight = async (height: number): Promise<bigint> => {
    const firstFrom = async (from: bigint) => (await read(from, { maxRecords: 1, maxBytes: 0 }))[0]
    let { start: low, end: high } = await partition.bounds()
    // All records before `low` have lower heights. The first one from `high` on, if any, has not.
    while (low < high) {
      const middle = (low + high) / 2n
      const record = await firstFrom(middle)
      if (record && record.height < height) low = record.offset + 1n
      else high = middle
    }
    return (await firstFrom(low))?.offset ?? low
  }
  const inTurn = pLimit(1)
  const untilCached = async (from: bigint, ending: AbortSignal): Promise<void> => {
    while (!ending.aborted && !closing.aborted && cached(from).records.length === 0) {
      await inTurn(() => advance(from, POLL))
    }
  }
  return {
    waitFor: async (from, { timeoutMs, signal }) => {
      try {
        await withDeadline(timeoutMs, signal, (ending) => untilCached(from, ending))
      } catch (error) {
        // A failure only ends the wait: the next read reports it.
        if (!(error instanceof AppError)) throw error
      }
    },
    read: (from, limits) => inTurn(() => read(from, limits)),
    last: () => inTurn(last),
    end: async () => {
      const record = await inTurn(last)
      return record ? record.offset + 1n : 0n
    },
    offsetOfHeight: (height) => inTurn(() => offsetOfHeight(height)),
  }
}
