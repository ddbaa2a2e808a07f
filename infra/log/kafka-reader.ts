// Reads a topic in order. It caches the last fetch, so that small steps need no calls, and the tail.
import pLimit from 'p-limit'
import { systemClock } from '../runtime/clock.ts'
import { AppError } from '../runtime/errors.ts'
import { withDeadline } from '../runtime/retry.ts'
import type { EventLog, LogRecord, ReadLimits } from './event-log.ts'
import type { FetchLimits } from './kafka-fetch.ts'
import type { Fetched, Partition } from './kafka-partition.ts'

export type KafkaReader = Pick<EventLog, 'waitFor' | 'last' | 'end' | 'offsetOfHeight'> & {
  read(from: bigint, limits: ReadLimits): Promise<LogRecord[]>
  /** Everything before it is decided: committed or aborted. */
  stableEnd(): Promise<bigint>
}

const LEAST_FETCH_BYTES = 64 * 1024
const MOST_FETCH_BYTES = 8 * 2 ** 20
const ONE_RECORD: ReadLimits = { maxRecords: 1, maxBytes: 0 }
const MANY_RECORDS: ReadLimits = { maxRecords: Number.MAX_SAFE_INTEGER, maxBytes: MOST_FETCH_BYTES }
/** Limit of one call while waiting: short, because reads use the same connection after it. */
const POLL_MS = 250
const POLL_PAUSE_MS = 50
/** First range of the search for the last record: markers and aborted records may follow it. */
const TAIL_RECORDS = 64n

const greater = (a: bigint, b: bigint): bigint => (a > b ? a : b)
const afterLast = (record: LogRecord | undefined): bigint => (record ? record.offset + 1n : 0n)

const createWindow = (partition: Partition) => {
  /** `records` are exactly the readable records in [from, next). */
  let window: { from: bigint; next: bigint; records: LogRecord[] } = {
    from: 0n,
    next: 0n,
    records: [],
  }
  const covers = (offset: bigint) => offset >= window.from && offset <= window.next

  /** The cached records from `from` on, and the first unknown offset. */
  const known = (from: bigint): { records: LogRecord[]; next: bigint } => {
    if (!covers(from)) return { records: [], next: from }
    const at = window.records.findIndex(({ offset }) => offset >= from)
    return { records: at < 0 ? [] : window.records.slice(at), next: window.next }
  }
  /** One call at the first unknown offset at or after `from`. */
  const advance = async (from: bigint, limits: FetchLimits): Promise<Fetched> => {
    const { next, records } = known(from)
    const fetched = await partition.fetch(next, limits)
    // There is nothing readable between them, so they form one window.
    const isJoined = records.length === 0 && covers(from)
    window = { from: isJoined ? from : next, next: fetched.next, records: fetched.records }
    return fetched
  }
  return { known, advance }
}

/** Takes as many of `records` as fit. Returns whether `taken` is full. */
const take = (records: LogRecord[], limits: ReadLimits, taken: LogRecord[]): boolean => {
  let bytes = taken.reduce((sum, { value }) => sum + value.byteLength, 0)
  for (const record of records) {
    bytes += record.value.byteLength
    const isFull = taken.length >= limits.maxRecords || bytes > limits.maxBytes
    if (taken.length > 0 && isFull) return true
    taken.push(record)
  }
  return taken.length > 0 && (taken.length >= limits.maxRecords || bytes >= limits.maxBytes)
}

const createScan = (partition: Partition) => {
  const { known, advance } = createWindow(partition)
  let tail: { end: bigint; record: LogRecord | undefined } | undefined

  const read = async (from: bigint, limits: ReadLimits): Promise<LogRecord[]> => {
    const maxBytes = Math.min(Math.max(limits.maxBytes, LEAST_FETCH_BYTES), MOST_FETCH_BYTES)
    const taken: LogRecord[] = []
    let end: bigint | undefined
    for (let at = from; ; ) {
      const { records, next } = known(at)
      if (take(records, limits, taken) || (end !== undefined && next >= end)) return taken
      if (records.length > 0) at = next
      const fetched = await advance(at, { maxBytes, waitMs: 0 })
      if (fetched.next === next) return taken
      end = fetched.stableEnd
    }
  }
  const lastFrom = async (from: bigint): Promise<LogRecord | undefined> => {
    let found: LogRecord | undefined
    for (let at = from; ; at = afterLast(found)) {
      const record = (await read(at, MANY_RECORDS)).at(-1)
      if (!record) return found
      found = record
    }
  }
  const last = async (): Promise<LogRecord | undefined> => {
    const { start, end } = await partition.bounds()
    if (tail?.end === end) return tail.record
    for (let back = TAIL_RECORDS; ; back *= 8n) {
      const from = greater(start, end - back)
      const record = await lastFrom(from)
      if (!record && from > start) continue
      tail = { end, record }
      return record
    }
  }
  /** Exact for any record times, because heights grow with the offsets. */
  const offsetOfHeight = async (height: number): Promise<bigint> => {
    const newest = await last()
    if (!newest || newest.height < height) return afterLast(newest)
    let low = (await partition.bounds()).start
    let high = newest.offset
    let found = newest
    // All records before `low` have lower heights. Nothing is readable from `high` to `found`.
    while (low < high) {
      const middle = (low + high) / 2n
      const [record] = await read(middle, ONE_RECORD)
      const inside = record && record.offset < high ? record : undefined
      if (inside && inside.height < height) low = inside.offset + 1n
      else [high, found] = [middle, inside ?? found]
    }
    return found.offset
  }
  return { known, advance, read, last, offsetOfHeight }
}

/** `closing` ends every wait. */
export const createKafkaReader = (partition: Partition, closing: AbortSignal): KafkaReader => {
  const { known, advance, read, last, offsetOfHeight } = createScan(partition)
  const inTurn = pLimit(1)
  /** A failure only ends the wait: the next read reports it. */
  const ignore = (error: unknown) => {
    if (!(error instanceof AppError)) throw error
  }
  const poll = (from: bigint) =>
    inTurn(() => advance(from, { maxBytes: 1, waitMs: POLL_MS })).catch(ignore)
  const untilKnown = async (from: bigint, ending: AbortSignal): Promise<void> => {
    while (!ending.aborted && !closing.aborted && known(from).records.length === 0) {
      const startedMs = performance.now()
      const { next } = known(from)
      const hasMoved = ((await poll(from))?.next ?? next) > next
      // A broker does not wait beyond the end of the log.
      const wasShort = performance.now() - startedMs < POLL_MS / 2
      if (!hasMoved && wasShort) await systemClock.sleep(POLL_PAUSE_MS, ending)
    }
  }
  return {
    waitFor: async (from, { timeoutMs, signal }) => {
      const wait = withDeadline(timeoutMs, signal, (ending) => untilKnown(from, ending))
      await wait.catch(ignore)
    },
    read: (from, limits) => inTurn(() => read(from, limits)),
    last: () => inTurn(last),
    end: () => inTurn(async () => afterLast(await last())),
    offsetOfHeight: (height) => inTurn(() => offsetOfHeight(height)),
    stableEnd: async () => (await partition.bounds()).end,
  }
}
