// UUIDs of RFC 9562: version 7, ordered by creation time, and version 5 from a name.
import { createHash, randomBytes } from 'node:crypto'

const written = (bytes: Buffer, version: number): string => {
  bytes[6] = (version << 4) | (bytes.readUInt8(6) & 0x0f)
  bytes[8] = 0x80 | (bytes.readUInt8(8) & 0x3f)
  const hex = bytes.toString('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20, 32),
  ].join('-')
}

export const uuidV7 = (nowMs: number): string => {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(nowMs, 0, 6)
  return written(bytes, 7)
}

/** The same UUID for the same name, at any time and in any process. */
export const uuidV5 = (namespace: string, name: string): string => {
  const within = Buffer.from(namespace.replaceAll('-', ''), 'hex')
  return written(createHash('sha1').update(within).update(name).digest(), 5)
}
