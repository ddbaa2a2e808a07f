// Everything that is cached in memory under keys that clients can choose, with one bound in bytes for all of it.
import { LRUCache } from 'lru-cache'

export type CacheArea<Value> = {
  get(key: string): Value | undefined
  /** Not cached where it is larger than the whole cache. */
  set(key: string, value: Value): void
  /** Does not make the entry younger. */
  has(key: string): boolean
}

export type ByteCache = {
  /** Entries of one kind. `name` tells their keys from those of other kinds; `bytesOf` is the memory a value takes. */
  area<Value extends object>(name: string, bytesOf: (value: Value) => number): CacheArea<Value>
  readonly bytes: number
}

/** What an entry takes beside its key and its value. */
const ENTRY_BYTES = 256
/** A string takes up to two bytes for each character. */
const BYTES_PER_CHARACTER = 2
const HEADER_BYTES = 24
const SLOT_BYTES = 8

/** Of a longer array so many elements are measured, and the others taken for alike. */
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

/** Bytes of memory that a value of plain data takes: an estimate. */
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
        has: (key) => entries.has(toKey(key)),
      }
    },
    get bytes() {
      return entries.calculatedSize
    },
  }
}
