// Verifies a proposal with data of the API of Rollcall: in the command, and in the browser as the entry of a bundle.
import { createApiSource, type GetFromApi } from './api-source.ts'
import type { VerifiedProposal } from './verify.ts'
import { type ProposalToVerify, verifyFromSource } from './verify-from-source.ts'

export type ProposalAtApi = ProposalToVerify & {
  /** The end of this round, or the submission for 0; the latest proof if absent. */
  round?: number | undefined
}

/** Throws a `ProofError` for the first problem. */
export const verifyFromApi = (
  get: GetFromApi,
  { proposalId, trusted, round }: ProposalAtApi,
): Promise<VerifiedProposal> =>
  verifyFromSource(createApiSource(get, { proposalId, round }), { proposalId, trusted })
