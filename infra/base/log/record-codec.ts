// The format of a record in the embedded log: a header with a checksum, then the value. Independent of LMDB.
import { crc32 } from 'node:zlib'
import type { LogEntry, LogRecord } from './event-log.ts'

/** crc32, height, time: 4 + 8 + 8 bytes, then the value. */
export const HEADER_BYTES = 20
const KEY_BYTES = 8

/** Big-endian, so that the order of the bytes is the order of the offsets (and heights). */
export const encodeKey = (number: bigint): Buffer => {
  const key = Buffer.allocUnsafe(KEY_BYTES)
  key.writeBigUInt64BE(number)
  return key
}

export const decodeKey = (key: Buffer): bigint => key.readBigUInt64BE(0)

/** Covers the offset too: a record at another offset is as damaged as one with other bytes. */
const computeChecksum = (key: Uint8Array, bytes: Uint8Array): number =>
  crc32(bytes.subarray(4), crc32(key))

export const encodeRecord = (key: Uint8Array, entry: LogEntry): Buffer => {
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + entry.value.byteLength)
  bytes.writeDoubleBE(entry.height, 4)
  bytes.writeDoubleBE(entry.timeMs, 12)
  bytes.set(entry.value, HEADER_BYTES)
  bytes.writeUInt32BE(computeChecksum(key, bytes), 0)
  return bytes
}

/** Undefined if the bytes are not the record that was written at this key. */
export const decodeRecord = (key: Buffer, bytes: Buffer): LogRecord | undefined => {
  if (key.byteLength !== KEY_BYTES || bytes.byteLength < HEADER_BYTES) return undefined
  if (bytes.readUInt32BE(0) !== computeChecksum(key, bytes)) return undefined
  return {
    offset: decodeKey(key),
    height: bytes.readDoubleBE(4),
    timeMs: bytes.readDoubleBE(12),
    value: bytes.subarray(HEADER_BYTES),
  }
}
