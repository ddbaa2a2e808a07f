// Finds the canonical URL for a path with non-canonical parameters, such as an id with leading zeros.
import { splitTarget } from './target.ts'

const decodeSegment = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

type Params = Readonly<Record<string, string>>

/** The same target with canonical path parameters; undefined if all of them are canonical already. */
export const findCanonicalLocation = (
  url: string,
  raw: Params,
  canonical: Params,
): string | undefined => {
  const canonicalValues = new Map(
    Object.entries(canonical)
      .filter(([name, value]) => raw[name] !== value)
      .map(([name, value]) => [raw[name], value]),
  )
  if (canonicalValues.size === 0) return undefined
  const { path, query } = splitTarget(url)
  const segments = path
    .split('/')
    .map((segment) => canonicalValues.get(decodeSegment(segment)) ?? segment)
  return segments.join('/') + query
}
