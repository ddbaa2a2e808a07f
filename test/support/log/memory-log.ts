// An event log in memory for tests, with the same contract as the real logs.

import type { EventLog, LogRecord } from '../../../infra/base/log/event-log.ts'
import { refuseLargeEntries } from '../../../infra/base/log/event-log.ts'
import { AppError } from '../../../infra/base/runtime/errors.ts'

/** The storage of the records; several logs may be opened on it. */
export type MemoryLogStorage = {
  records: LogRecord[]
  wake: Set<() => void>
}

export const createMemoryLogStorage = (): MemoryLogStorage => ({
  records: [],
  wake: new Set(),
})

const getEndOffset = ({ records }: MemoryLogStorage): bigint => (records.at(-1)?.offset ?? -1n) + 1n

/** The index of the first record at or after an offset. */
const seek = (records: readonly LogRecord[], from: bigint): number => {
  let low = 0
  let high = records.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((records[middle] as LogRecord).offset < from) low = middle + 1
    else high = middle
  }
  return low
}

const take = (
  { records }: MemoryLogStorage,
  from: bigint,
  limits: { maxRecords: number; maxBytes: number },
): LogRecord[] => {
  const taken: LogRecord[] = []
  let bytes = 0
  for (let at = seek(records, from); at < records.length; at++) {
    const record = records[at] as LogRecord
    bytes += record.value.byteLength
    if (taken.length > 0 && (taken.length >= limits.maxRecords || bytes > limits.maxBytes)) break
    taken.push(record)
  }
  return taken
}

const wait = (
  storage: MemoryLogStorage,
  from: bigint,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<void> => {
  if (getEndOffset(storage) > from || signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      storage.wake.delete(done)
      resolve()
    }
    const timer = setTimeout(done, timeoutMs)
    signal.addEventListener('abort', done)
    storage.wake.add(done)
  })
}

/** A handle is fenced after another handle has appended, unless it is `shared`, and from the start if it only reads. */
export const openMemoryLog = (
  storage: MemoryLogStorage = createMemoryLogStorage(),
  { shared = false, readOnly = false }: { shared?: boolean; readOnly?: boolean } = {},
): EventLog => {
  let isClosed = false
  /** The index of this writer's next record. */
  let tail = getEndOffset(storage)
  const whileOpen = <T>(read: () => T): Promise<T> =>
    isClosed
      ? Promise.reject(new AppError('LOG_UNAVAILABLE', 'the log is closed', { retryable: true }))
      : Promise.resolve().then(read)
  return {
    append: (entries) =>
      whileOpen(() => {
        if (readOnly) throw new AppError('LOG_FENCED', 'the log is open for reading only')
        if (entries.length === 0) return getEndOffset(storage)
        if (getEndOffset(storage) !== tail && !shared) {
          throw new AppError('LOG_FENCED', 'another writer took the log over')
        }
        refuseLargeEntries(entries)
        for (const entry of entries) {
          storage.records.push({
            ...entry,
            value: entry.value.slice(),
            offset: getEndOffset(storage),
          })
        }
        for (const wake of [...storage.wake]) wake()
        tail = getEndOffset(storage)
        return tail
      }),
    read: (from, limits) => whileOpen(() => take(storage, from, limits)),
    waitFor: (from, options) => wait(storage, from, options),
    last: () => whileOpen(() => storage.records.at(-1)),
    end: () => whileOpen(() => getEndOffset(storage)),
    offsetOfHeight: (height) =>
      whileOpen(
        () =>
          storage.records.find((record) => record.height >= height)?.offset ??
          getEndOffset(storage),
      ),
    close: () => {
      isClosed = true
      return Promise.resolve()
    },
  }
}
