// Asks a Rollcall that is not trusted for the proof of a proposal and for the light blocks that lead to it, and verifies all of it.

import type { VerifiedProposal } from '../../proof/verify.ts'
import { type ProposalAtApi, verifyFromApi } from '../../proof/verify-from-api.ts'
import { type ApiAddress, createGetFromApi } from './get-from-api.ts'

export const verifyAtApi = ({
  url,
  signal,
  ...proposal
}: ApiAddress & ProposalAtApi): Promise<VerifiedProposal> =>
  verifyFromApi(createGetFromApi({ url, signal }), proposal)
