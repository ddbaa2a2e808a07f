// Checks by the snapshot alone whether a proposal exists.
import { ApiProblem } from '../../problem.ts'
import type { Snapshot } from '../snapshot.ts'

export const notFound = (proposalId: string): ApiProblem =>
  new ApiProblem('proposal-not-found', `This chain has no proposal ${proposalId}.`)

/** Every proposal has a watermark, so an unknown id needs no query. */
export const requireKnownProposal = ({ watermarks }: Snapshot, proposalId: string): void => {
  if (!watermarks.has(proposalId)) throw notFound(proposalId)
}
