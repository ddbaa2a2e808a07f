// Reading a topic in order: what was fetched last is kept, so that small steps cost no calls, and the tail is known.
import pLimit from 'p-limit'
import { systemClock } from '../runtime/clock.ts'
import type { LogRecord, ReadLimits } from './event-log.ts'
import type { Fetched, Partition } from './kafka-partition.ts'

export type KafkaReader = {
  read(from: bigint, limits: ReadLimits): Promise<LogRecord[]>
  waitFor(from: bigint, options: Wait): Promise<void>
  last(): Promise<LogRecord | undefined>
  end(): Promise<bigint>
  offsetOfHeight(height: number): Promise<bigint>
  /** Everything before it is decided: committed or aborted. */
  stableEnd(): Promise<bigint>
}

/** Readable in [from, next) are exactly `records`. */
type Window = { from: bigint; next: bigint; records: readonly LogRecord[] }

const LEAST_FETCH_BYTES = 64 * 1024
const MOST_FETCH_BYTES = 8 * 2 ** 20
/** One call of a wait: short, because a read on the same connection comes after it. */
const POLL_MS = 250
const POLL_PAUSE_MS = 50
/** How far back the last record is looked for at first: markers and aborted records may follow it. */
const TAIL_RECORDS = 64n

const greater = (a: bigint, b: bigint): bigint => (a > b ? a : b)
const afterLast = (record: LogRecord | undefined): bigint => (record ? record.offset + 1n : 0n)

/** Where `offset` or the next one there is lies in a sorted list. */
const indexOf = (records: readonly LogRecord[], offset: bigint): number => {
  let low = 0
  let high = records.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (records[middle]!.offset < offset) low = middle + 1
    else high = middle
  }
  return low
}

type Wait = { timeoutMs: number; signal: AbortSignal }

/** The end of a wait, by its time or by a signal; to be released afterwards: the signals outlive it. */
const createEnd = ({ timeoutMs, signal }: Wait, closing: AbortSignal) => {
  const controller = new AbortController()
  const end = () => controller.abort()
  const signals = [signal, closing]
  const timer = setTimeout(end, timeoutMs)
  for (const each of signals) each.addEventListener('abort', end, { once: true })
  if (signals.some(({ aborted }) => aborted)) end()
  const ended = new Promise<undefined>((resolve) => {
    controller.signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
  return {
    signal: controller.signal,
    /** Undefined once the wait ends; the call goes on unheard. */
    race: <T>(call: Promise<T>): Promise<T | undefined> => Promise.race([call, ended]),
    release: () => {
      clearTimeout(timer)
      for (const each of signals) each.removeEventListener('abort', end)
    },
  }
}

const createWindow = (partition: Partition) => {
  let window: Window = { from: 0n, next: 0n, records: [] }
  const covers = (offset: bigint) => offset >= window.from && offset <= window.next

  /** What is known from `from` on, and where the unknown begins. */
  const known = (from: bigint): { records: readonly LogRecord[]; next: bigint } => {
    if (!covers(from)) return { records: [], next: from }
    return { records: window.records.slice(indexOf(window.records, from)), next: window.next }
  }
  /** One call at the first unknown offset at or after `from`. */
  const advance = async (
    from: bigint,
    options: { maxBytes: number; waitMs: number },
  ): Promise<Fetched> => {
    const { next, records } = known(from)
    const fetched = await partition.fetch(next, options)
    // Nothing readable between them: they are one window.
    const isJoined = records.length === 0 && covers(from)
    window = { from: isJoined ? from : next, next: fetched.next, records: fetched.records }
    return fetched
  }
  return { known, advance }
}

/** As many of `records` as `limits` has room for beside what is `taken`. */
const take = (records: readonly LogRecord[], limits: ReadLimits, taken: LogRecord[]): boolean => {
  let bytes = taken.reduce((sum, { value }) => sum + value.byteLength, 0)
  for (const record of records) {
    bytes += record.value.byteLength
    const isFull = taken.length >= limits.maxRecords || bytes > limits.maxBytes
    if (taken.length > 0 && isFull) return true
    taken.push(record)
  }
  return taken.length > 0 && (taken.length >= limits.maxRecords || bytes >= limits.maxBytes)
}

type Fetching = { partition: Partition; window: ReturnType<typeof createWindow> }

const readFrom = async (
  { window }: Fetching,
  from: bigint,
  limits: ReadLimits,
): Promise<LogRecord[]> => {
  const maxBytes = Math.min(Math.max(limits.maxBytes, LEAST_FETCH_BYTES), MOST_FETCH_BYTES)
  const taken: LogRecord[] = []
  let end: bigint | undefined
  for (let at = from; ; ) {
    const { records, next } = window.known(at)
    if (take(records, limits, taken) || (end !== undefined && next >= end)) return taken
    if (records.length > 0) at = next
    const fetched = await window.advance(at, { maxBytes, waitMs: 0 })
    if (fetched.next === next) return taken
    end = fetched.stableEnd
  }
}

/** The last readable record in [from, end). */
const lastIn = async (
  { window }: Fetching,
  from: bigint,
  end: bigint,
): Promise<LogRecord | undefined> => {
  let found: LogRecord | undefined
  for (let at = from; ; ) {
    const { records, next } = window.known(at)
    found = records.at(-1) ?? found
    if (next >= end) return found
    const fetched = await window.advance(next, { maxBytes: MOST_FETCH_BYTES, waitMs: 0 })
    if (fetched.next === next) return found
    at = next
  }
}

type Tail = { stableEnd: bigint; record: LogRecord | undefined }

/** `before`: the tail when it was last looked for; what was decided then stays so. */
const findTail = async (fetching: Fetching, before: Tail | undefined): Promise<Tail> => {
  const { start, end } = await fetching.partition.bounds()
  if (before?.stableEnd === end) return before
  const isOlder = before !== undefined && before.stableEnd < end
  const floor = isOlder ? (before.record?.offset ?? before.stableEnd) : start
  for (let back = TAIL_RECORDS; ; back *= 8n) {
    const from = greater(floor, end - back)
    const record = await lastIn(fetching, from, end)
    if (record || from === floor) return { stableEnd: end, record }
  }
}

/** Exact, whatever the records' times are: heights grow with the offsets. */
const findHeight = async (fetching: Fetching, height: number, last: LogRecord): Promise<bigint> => {
  let low = (await fetching.partition.bounds()).start
  let high = last.offset
  let found = last
  // Before `low` all are of lower heights; from `high` to `found` there is nothing readable.
  while (low < high) {
    const middle = (low + high) / 2n
    const [record] = await readFrom(fetching, middle, { maxRecords: 1, maxBytes: 0 })
    if (record && record.offset < high && record.height < height) {
      low = record.offset + 1n
      continue
    }
    if (record && record.offset < high) found = record
    high = middle
  }
  return found.offset
}

/** `closing`: ends every wait. */
export const createKafkaReader = (partition: Partition, closing: AbortSignal): KafkaReader => {
  const window = createWindow(partition)
  const fetching = { partition, window }
  const inTurn = pLimit(1)
  let tail: Tail | undefined

  const last = async (): Promise<LogRecord | undefined> => {
    tail = await findTail(fetching, tail)
    return tail.record
  }
  /** Whether there is more than was known. */
  const look = async (from: bigint): Promise<boolean> => {
    const { next } = window.known(from)
    const fetched = await window.advance(from, { maxBytes: 1, waitMs: POLL_MS })
    return fetched.next > next
  }
  const waitFor: KafkaReader['waitFor'] = async (from, wait) => {
    const end = createEnd(wait, closing)
    while (!end.signal.aborted && window.known(from).records.length === 0) {
      const startedMs = performance.now()
      // A failure is for whoever reads next to hear of: a wait only ends.
      const hasMoved = await end.race(inTurn(() => look(from)).catch(() => false))
      // A broker does not wait beyond the end of the log.
      if (!hasMoved && performance.now() - startedMs < POLL_MS / 2) {
        await systemClock.sleep(POLL_PAUSE_MS, end.signal).catch(() => {})
      }
    }
    end.release()
  }
  return {
    waitFor,
    read: (from, limits) => inTurn(() => readFrom(fetching, from, limits)),
    last: () => inTurn(last),
    end: () => inTurn(async () => afterLast(await last())),
    offsetOfHeight: (height) =>
      inTurn(async () => {
        const found = await last()
        if (!found || found.height < height) return afterLast(found)
        return await findHeight(fetching, height, found)
      }),
    stableEnd: async () => (await partition.bounds()).end,
  }
}
