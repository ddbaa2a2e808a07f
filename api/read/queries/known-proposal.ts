// What the snapshot alone tells about a proposal: whether there is one.
import { ApiProblem } from '../../problem.ts'
import type { Snapshot } from '../snapshot.ts'

export const notFound = (proposalId: string): ApiProblem =>
  new ApiProblem('proposal-not-found', `This chain has no proposal ${proposalId}.`)

/** Every proposal with a fact has a watermark: an id without one costs no query. */
export const requireKnownProposal = ({ watermarks }: Snapshot, proposalId: string): void => {
  if (!watermarks.has(proposalId)) throw notFound(proposalId)
}
