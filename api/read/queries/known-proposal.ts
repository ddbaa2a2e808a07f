// Checks by the snapshot alone whether a proposal exists.
import { ApiProblem } from '../../problem.ts'
import type { Snapshot, Watermark } from '../snapshot.ts'

export const notFound = (proposalId: string): ApiProblem =>
  new ApiProblem('proposal-not-found', `This chain has no proposal ${proposalId}.`)

/** Every proposal has a watermark, so an unknown id needs no query. Throws `proposal-not-found`. */
export const requireWatermark = ({ watermarks }: Snapshot, proposalId: string): Watermark => {
  const watermark = watermarks.get(proposalId)
  if (!watermark) throw notFound(proposalId)
  return watermark
}
