// The memory of all caches with keys that clients can choose, with one common limit in bytes.
import { LRUCache } from 'lru-cache'

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
export const estimateMemory = (value: unknown): number => {
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
