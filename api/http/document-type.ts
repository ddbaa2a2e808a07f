// Checks whether `Accept` prefers the alternate media type of a document (RFC 9110, section 12.5.1). Pure.
import { parseQualities } from './accept.ts'

const parseTypeName = (type: string): string => (type.split(';', 1)[0] ?? '').trim().toLowerCase()

/** True if `Accept` lists `other` with at least the weight of `usual`. */
export const prefersOther = (
  accept = '',
  { usual, other }: { usual: string; other: string },
): boolean => {
  const qualities = parseQualities(accept)
  const quality = qualities.get(parseTypeName(other)) ?? 0
  return quality > 0 && quality >= (qualities.get(parseTypeName(usual)) ?? 0)
}
