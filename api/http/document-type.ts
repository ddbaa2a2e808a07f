// Whether somebody who names media types would rather have the other one (RFC 9110, section 12.5.1). Pure.
import { qualityOf } from './coding.ts'

const nameOf = (type: string): string => (type.split(';', 1)[0] ?? '').trim().toLowerCase()

/** True where `other` is named and wanted at least as much as `usual`. */
export const prefersOther = (
  accept: string | undefined,
  { usual, other }: { usual: string; other: string },
): boolean => {
  const wanted = new Map<string, number>()
  for (const range of (accept ?? '').split(',')) {
    const [name = '', ...parameters] = range.split(';')
    wanted.set(name.trim().toLowerCase(), qualityOf(parameters))
  }
  const quality = wanted.get(nameOf(other)) ?? 0
  return quality > 0 && quality >= (wanted.get(nameOf(usual)) ?? 0)
}
