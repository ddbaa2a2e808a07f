// Replaces bytes that are too long for a page, such as contract code, by a digest, and keeps the bytes separately.
import { hash } from 'node:crypto'

/** Longer bytes are not part of the JSON of a message. */
export const MAX_INLINE_BYTES = 4 * 2 ** 10

/** `path` is a JSON pointer into the message. */
export type LongBytes = { path: string; bytes: Uint8Array; sha256: string }

export const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')

/** Base64, or `{ sha256, size }` with the bytes added to `kept`. */
export const bytesJson = (
  bytes: Uint8Array,
  { path, kept }: { path: string; kept: LongBytes[] },
): string | { sha256: string; size: number } => {
  if (bytes.length <= MAX_INLINE_BYTES) return base64(bytes)
  const sha256 = hash('sha256', bytes, 'hex')
  kept.push({ path, bytes, sha256 })
  return { sha256, size: bytes.length }
}

/** Appends one member to a JSON pointer. */
export const pointer = (path: string, member: string | number): string =>
  `${path}/${`${member}`.replaceAll('~', '~0').replaceAll('/', '~1')}`
