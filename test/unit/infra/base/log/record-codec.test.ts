// Tests of the record codec: it restores every record and refuses all other bytes.
import { expect, it } from 'vitest'
import {
  decodeKey,
  decodeRecord,
  encodeKey,
  encodeRecord,
} from '../../../../../infra/base/log/record-codec.ts'

const entry = { height: 2 ** 40 + 1, timeMs: 1_763_700_000_123, value: Buffer.from('fact') }

it('restores height, time and value at its offset', () => {
  const key = encodeKey(7n)
  expect(decodeRecord(key, encodeRecord(key, entry))).toEqual({ offset: 7n, ...entry })
})

it('keeps keys in the order of their numbers', () => {
  const numbers = [0n, 1n, 255n, 256n, 2n ** 32n, 2n ** 63n]
  const keys = numbers.map(encodeKey)
  expect([...keys].sort(Buffer.compare)).toEqual(keys)
  expect(keys.map(decodeKey)).toEqual(numbers)
})

it('refuses a record with one flipped bit, a truncated one, and one at another offset', () => {
  const key = encodeKey(7n)
  const bytes = encodeRecord(key, entry)
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const flipped = Buffer.from(bytes)
    flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    expect(decodeRecord(key, flipped)).toBeUndefined()
  }
  expect(decodeRecord(key, bytes.subarray(0, -1))).toBeUndefined()
  expect(decodeRecord(key, bytes.subarray(0, 5))).toBeUndefined()
  expect(decodeRecord(encodeKey(8n), bytes)).toBeUndefined()
})
