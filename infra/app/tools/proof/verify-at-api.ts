// Fetches the proof of a proposal and its light blocks from an untrusted Rollcall, and verifies them.

import type { VerifiedProposal } from '../../../base/proof/verify.ts'
import { type ProposalAtApi, verifyFromApi } from '../../../base/proof/verify-from-api.ts'
import { type ApiAddress, createGetFromApi } from './get-from-api.ts'

export const verifyAtApi = ({
  url,
  signal,
  ...proposal
}: ApiAddress & ProposalAtApi): Promise<VerifiedProposal> =>
  verifyFromApi(createGetFromApi({ url, signal }), proposal)
