// The memory of all caches with keys that clients can choose, with one common limit in bytes; and the results of queries in it.
import { LRUCache } from 'lru-cache'
import type { Store } from '../../infra/base/clickhouse/client.ts'
import type { DisplayUnit } from '../words/display-unit.ts'
import { createQueryKey, type Query, type QueryResult, type Reads } from './query.ts'
import type { Snapshot } from './snapshot.ts'

export type CacheArea<Value> = {
  get(key: string): Value | undefined
  /** A value that is larger than the whole cache is not stored. */
  set(key: string, value: Value): void
}

export type ByteCache = {
  /** A part of the cache with keys of its own. `bytesOf` returns the memory of a value. */
  area<Value extends object>(name: string, bytesOf: (value: Value) => number): CacheArea<Value>
  readonly bytes: number
}

/** Memory of an entry besides its key and value. */
const ENTRY_BYTES = 256
/** A string uses up to two bytes per character. */
const BYTES_PER_CHARACTER = 2
const HEADER_BYTES = 24
const SLOT_BYTES = 8

/** In longer arrays only this number of elements is measured. Their size is extrapolated to all elements. */
const MEASURED = 16

const sumMemberBytes = (values: Iterable<unknown>): number => {
  let bytes = HEADER_BYTES
  for (const value of values) bytes += SLOT_BYTES + estimateMemory(value)
  return bytes
}

const estimateArrayBytes = (array: readonly unknown[]): number => {
  if (array.length <= MEASURED) return sumMemberBytes(array)
  const step = array.length / MEASURED
  const measured = Array.from({ length: MEASURED }, (_, n) => array[Math.floor(n * step)])
  return Math.ceil(sumMemberBytes(measured) * step)
}

/** Estimates the memory of plain data in bytes. */
const estimateMemory = (value: unknown): number => {
  if (typeof value === 'string') return HEADER_BYTES + BYTES_PER_CHARACTER * value.length
  if (typeof value === 'bigint') return HEADER_BYTES
  if (typeof value !== 'object' || value === null) return 0
  if (Array.isArray(value)) return estimateArrayBytes(value)
  if (value instanceof Map) return sumMemberBytes(value.keys()) + sumMemberBytes(value.values())
  return sumMemberBytes(Object.values(value))
}

export const createByteCache = (maxBytes: number): ByteCache => {
  const entries = new LRUCache<string, object>({ maxSize: maxBytes })
  return {
    area: <Value extends object>(
      name: string,
      bytesOf: (value: Value) => number,
    ): CacheArea<Value> => {
      const toKey = (key: string) => `${name}/${key}`
      return {
        get: (key) => entries.get(toKey(key)) as Value | undefined,
        set: (key, value) => {
          const whole = toKey(key)
          const size = ENTRY_BYTES + BYTES_PER_CHARACTER * whole.length + bytesOf(value)
          entries.set(whole, value, { size })
        },
      }
    },
    get bytes() {
      return entries.calculatedSize
    },
  }
}

/** The results of queries per snapshot. All requests that wait for a read share it. */
export type QueryCache = {
  /** The cached value, if any. */
  find<Value>(query: Query<Value, unknown>, snapshot: Snapshot): QueryResult<Value> | undefined
  /** The pending read, if any. */
  reading<Value>(
    query: Query<Value, unknown>,
    snapshot: Snapshot,
  ): Promise<QueryResult<Value>> | undefined
  /** From the cache, from the pending read, or from a new read. */
  read<Value>(query: Query<Value, unknown>, snapshot: Snapshot): Promise<QueryResult<Value>>
}

export const createQueryCache = (
  store: Store,
  memory: ByteCache,
  displayUnit?: DisplayUnit,
): QueryCache => {
  const cached = memory.area<QueryResult<unknown>>('query', ({ value }) => estimateMemory(value))
  const readings = new Map<string, Promise<QueryResult<unknown>>>()

  const start = async <Value>(
    query: Query<Value, unknown>,
    snapshot: Snapshot,
  ): Promise<QueryResult<Value>> => {
    const reads: Reads = {
      store,
      snapshot,
      displayUnit,
      use: (other) => read(other, snapshot),
      cached: <Other>(key: string) => (cached.get(key) as QueryResult<Other> | undefined)?.value,
    }
    const found = await query.read(reads)
    if (!found.isUncached) cached.set(createQueryKey(query, snapshot), { value: found.value })
    for (const [key, value] of found.ahead ?? []) cached.set(key, { value })
    return found
  }
  const find = <Value>(query: Query<Value, unknown>, snapshot: Snapshot) =>
    cached.get(createQueryKey(query, snapshot)) as QueryResult<Value> | undefined

  const read = async <Value>(
    query: Query<Value, unknown>,
    snapshot: Snapshot,
  ): Promise<QueryResult<Value>> => {
    const known = find(query, snapshot)
    if (known) return known
    const key = createQueryKey(query, snapshot)
    const started = readings.get(key) ?? start(query, snapshot).finally(() => readings.delete(key))
    readings.set(key, started)
    return (await started) as QueryResult<Value>
  }
  return {
    find,
    reading: <Value>(query: Query<Value, unknown>, snapshot: Snapshot) =>
      readings.get(createQueryKey(query, snapshot)) as Promise<QueryResult<Value>> | undefined,
    read,
  }
}
