// Which bytes of a file a request asks for (RFC 9110, section 14). Pure.
import type { IncomingHttpHeaders } from 'node:http'

/** Both are included. */
export type ByteRange = { start: number; end: number }

/** A last byte past the end is allowed: 15 digits are exact numbers. */
const RANGE = /^bytes=\s*(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))\s*$/i

/**
 * Undefined for the whole file: without a range, for several or malformed ones, and for one of another version of the file.
 * `none` if the file has none of these bytes.
 */
export function findRange(
  { range, 'if-range': ifRange }: IncomingHttpHeaders,
  { etag, size }: { etag: string; size: number },
): ByteRange | 'none' | undefined {
  const [isRange, first, last, suffix] = RANGE.exec(range ?? '') ?? []
  if (isRange === undefined || (ifRange !== undefined && ifRange !== etag)) return undefined
  if (suffix !== undefined) {
    const length = Math.min(Number(suffix), size)
    return length === 0 ? 'none' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return undefined
  return start >= size ? 'none' : { start, end }
}
