// Chooses the content coding for `Accept-Encoding` (RFC 9110). Pure.
import { parseQualities } from './accept.ts'

export type Coding = 'identity' | 'br' | 'gzip'

/** Prefers Brotli to gzip at the same weight. */
export const chooseCoding = (header = ''): Coding => {
  const qualities = parseQualities(header)
  const any = qualities.get('*') ?? 0
  const br = qualities.get('br') ?? any
  const gzip = qualities.get('gzip') ?? any
  if (br > 0 && br >= gzip) return 'br'
  return gzip > 0 ? 'gzip' : 'identity'
}
