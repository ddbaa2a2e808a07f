// What the served state alone says of a proposal: whether there is one, and which facts of it are served.
import { ApiProblem } from '../problem.ts'
import type { Served } from '../served/served.ts'

export const notFound = (proposalId: string): ApiProblem =>
  new ApiProblem('proposal-not-found', `This chain has no proposal ${proposalId}.`)

/** Whatever has a fact has a watermark: an id without one costs no query. */
export const refuseUnknown = ({ watermarks }: Served, proposalId: string): void => {
  if (!watermarks.has(proposalId)) throw notFound(proposalId)
}

/** Changes with every fact of the proposal. */
export const versionOf = (served: Served, proposalId: string): string =>
  `${served.generation}/${served.watermarks.get(proposalId)?.position}`
