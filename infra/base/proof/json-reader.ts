// Reads and checks members of untrusted JSON: an error names the member and its expected form.
import { fromBase64, fromHex, toBase64 } from '@cosmjs/encoding'
import { ProofError } from './proof-error.ts'

/** One value, and its path from the top: `commit.signatures[3].signature`. */
export type JsonReader = {
  readonly path: string
  member(name: string): JsonReader
  /** Null if the object does not have it. */
  optional(name: string): JsonReader | null
  list(most: number): JsonReader[]
  text(): string
  /** Null if the value is null or an empty text. */
  orNull<Value>(read: (reader: JsonReader) => Value): Value | null
  /** A whole number as text or as a JSON number. */
  integer(limits?: { from?: bigint; to?: bigint }): bigint
  hex(size?: number): Uint8Array
  base64(size?: number): Uint8Array
}

const MAX_INT64 = 2n ** 63n - 1n
/** One form per number: without leading zeros. */
const INTEGER = /^(?:0|-?[1-9][0-9]{0,19})$/

/** One text per bytes: the unused bits of the last character must be 0. */
const fromCanonicalBase64 = (text: string): Uint8Array => {
  const bytes = fromBase64(text)
  if (toBase64(bytes) !== text) throw new RangeError('not canonical')
  return bytes
}

const sized = (bytes: Uint8Array, size: number | undefined): boolean =>
  size === undefined || bytes.length === size

export const readJson = (value: unknown, path = 'proof'): JsonReader => {
  const malformed = (expected: string) =>
    new ProofError('malformed', `${path} must be ${expected}.`)
  const text = (): string => {
    if (typeof value !== 'string') throw malformed('a text')
    return value
  }
  const bytes = (decode: (text: string) => Uint8Array, form: string, size?: number) => {
    const expected = size === undefined ? form : `${size} bytes in ${form}`
    try {
      const decoded = decode(text())
      if (sized(decoded, size)) return decoded
    } catch {}
    throw malformed(expected)
  }
  const optional = (name: string): JsonReader | null => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null
    return readJson((value as Record<string, unknown>)[name], `${path}.${name}`)
  }
  return {
    path,
    text,
    member: (name) => {
      const found = optional(name)
      if (!found) throw malformed(`an object with "${name}"`)
      return found
    },
    optional,
    list: (most) => {
      if (!Array.isArray(value) || value.length > most) {
        throw malformed(`a list of at most ${most} items`)
      }
      return value.map((item, n) => readJson(item, `${path}[${n}]`))
    },
    orNull: (read) => (value === null || value === '' ? null : read(readJson(value, path))),
    integer: ({ from = 0n, to = MAX_INT64 } = {}) => {
      const digits = Number.isSafeInteger(value) ? `${value}` : value
      if (typeof digits === 'string' && INTEGER.test(digits)) {
        const found = BigInt(digits)
        if (found >= from && found <= to) return found
      }
      throw malformed(`a whole number from ${from} to ${to}`)
    },
    hex: (size) => bytes(fromHex, 'hex', size),
    base64: (size) => bytes(fromCanonicalBase64, 'base64', size),
  }
}
