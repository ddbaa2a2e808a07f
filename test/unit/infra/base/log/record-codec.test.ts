// Tests of the record codec: it restores every record and refuses all other bytes.
import { expect, it } from 'vitest'
import { decodeRecord, encodeRecord } from '../../../../../infra/base/log/record-codec.ts'

const entry = { height: 2 ** 40 + 1, timeMs: 1_763_700_000_123, value: Buffer.from('fact') }

it('restores height, time and value at its offset', () => {
  expect(decodeRecord(7n, encodeRecord(7n, entry))).toEqual({ offset: 7n, ...entry })
})

it('refuses a record with one flipped bit, a truncated one, and one at another offset', () => {
  const bytes = encodeRecord(7n, entry)
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const flipped = Buffer.from(bytes)
    flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    expect(decodeRecord(7n, flipped)).toBeUndefined()
  }
  expect(decodeRecord(7n, bytes.subarray(0, -1))).toBeUndefined()
  expect(decodeRecord(7n, bytes.subarray(0, 5))).toBeUndefined()
  expect(decodeRecord(8n, bytes)).toBeUndefined()
})
