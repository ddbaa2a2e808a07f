// The format of a record in the embedded log: a header with a checksum, then the value.
import { crc32 } from 'node:zlib'
import type { LogEntry, LogRecord } from './event-log.ts'

/** crc32, height, time: 4 + 8 + 8 bytes, then the value. */
const HEADER_BYTES = 20

/** Covers the offset too: a record at another offset is as damaged as one with other bytes. */
const computeChecksum = (offset: bigint, bytes: Uint8Array): number => {
  const key = Buffer.allocUnsafe(8)
  key.writeBigUInt64BE(offset)
  return crc32(bytes.subarray(4), crc32(key))
}

export function encodeRecord(offset: bigint, entry: LogEntry): Buffer {
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + entry.value.byteLength)
  bytes.writeDoubleBE(entry.height, 4)
  bytes.writeDoubleBE(entry.timeMs, 12)
  bytes.set(entry.value, HEADER_BYTES)
  bytes.writeUInt32BE(computeChecksum(offset, bytes), 0)
  return bytes
}

/** Undefined if the bytes are not the record that was written at this offset. */
export function decodeRecord(offset: bigint, bytes: Buffer): LogRecord | undefined {
  if (bytes.byteLength < HEADER_BYTES) return undefined
  if (bytes.readUInt32BE(0) !== computeChecksum(offset, bytes)) return undefined
  return {
    offset,
    height: bytes.readDoubleBE(4),
    timeMs: bytes.readDoubleBE(12),
    value: bytes.subarray(HEADER_BYTES),
  }
}
