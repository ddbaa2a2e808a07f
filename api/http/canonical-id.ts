// Finds the canonical URL for a path with non-canonical parameters, such as an id with leading zeros, or for a wrong query.
import { splitTarget } from '../../infra/base/http/routes.ts'

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

/** The same target with one value of its query; undefined if the query does not have the parameter exactly once. */
export const replaceInQuery = (url: string, name: string, value: string): string | undefined => {
  const { path, query } = splitTarget(url)
  const parameters = new URLSearchParams(query)
  if (parameters.getAll(name).length !== 1) return undefined
  parameters.set(name, value)
  return `${path}?${parameters}`
}
