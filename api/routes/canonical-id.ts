// A proposal's id in a path: its one spelling, or where the same address is under it.
import { notFound } from '../page-kinds/known-proposal.ts'
import { readProposalId } from '../request/parameters.ts'
import { splitTarget } from '../request/target.ts'

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** The same path and query with the segment that says `raw`, however it is spelled, replaced. */
const respelled = (url: string, raw: string, id: string): string => {
  const { path, query } = splitTarget(url)
  const segments = path.split('/').map((segment) => (decoded(segment) === raw ? id : segment))
  return segments.join('/') + query
}

/** Throws `invalid-parameter` or `proposal-not-found`. */
export const canonical = (raw: string, url: string): { id: string } | { location: string } => {
  const read = readProposalId(raw)
  if (read.kind === 'unknown') throw notFound(raw)
  if (read.kind === 'id') return { id: read.id }
  return { location: respelled(url, raw, read.id) }
}
