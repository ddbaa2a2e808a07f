// A proposal's id in a path: its one spelling, or where the same address is under it.
import { notFound } from '../page-kinds/votes.ts'
import { readProposalId } from '../parameters.ts'

/** Throws `invalid-parameter` or `proposal-not-found`. */
export const canonical = (raw: string, url: string): { id: string } | { location: string } => {
  const read = readProposalId(raw)
  if (read.kind === 'unknown') throw notFound(raw)
  if (read.kind === 'id') return { id: read.id }
  return { location: url.replace(raw, read.id) }
}
