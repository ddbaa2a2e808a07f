// Checks whether `Accept` prefers the alternate media type of a document (RFC 9110, section 12.5.1). Pure.
import { parseQuality } from './coding.ts'

const parseTypeName = (type: string): string => (type.split(';', 1)[0] ?? '').trim().toLowerCase()

/** True if `Accept` lists `other` with at least the weight of `usual`. */
export const prefersOther = (
  accept: string | undefined,
  { usual, other }: { usual: string; other: string },
): boolean => {
  const qualities = new Map<string, number>()
  for (const range of (accept ?? '').split(',')) {
    const [name = '', ...parameters] = range.split(';')
    qualities.set(name.trim().toLowerCase(), parseQuality(parameters))
  }
  const quality = qualities.get(parseTypeName(other)) ?? 0
  return quality > 0 && quality >= (qualities.get(parseTypeName(usual)) ?? 0)
}
