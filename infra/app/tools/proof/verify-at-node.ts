// Fetches the proof of a proposal and its light blocks from an untrusted node, and verifies them.

import { verifySignature } from '../../../../ingest/comet/verify-signature.ts'
import type { TrustedHeader } from '../../../base/proof/trusted-header.ts'
import type { VerifiedProposal } from '../../../base/proof/verify.ts'
import { middleHeight, verifyFromSource } from '../../../base/proof/verify-from-source.ts'
import { AppError } from '../../../base/runtime/errors.ts'
import { createNodeSource } from './node-source.ts'

export type VerifyAtNode = {
  url: string
  proposalId: bigint
  trusted: TrustedHeader
  /** The height of the state; by default the latest that a header confirms. */
  height: number | undefined
  signal: AbortSignal
}

export const verifyAtNode = async (options: VerifyAtNode): Promise<VerifiedProposal> => {
  const { proposalId, trusted, signal } = options
  const node = createNodeSource(options.url, signal)
  const readProof = async (): Promise<object> => {
    const height = options.height ?? (await node.latestHeight()) - 1
    if (height < 1) throw new AppError('EVIDENCE_UNAVAILABLE', 'the node has no header yet')
    return node.proof(proposalId, height)
  }
  try {
    return await verifyFromSource(
      {
        proof: readProof,
        lightBlock: (height) => node.lightBlock(Number(height)),
        heightBetween: middleHeight,
        verifySignature,
      },
      { proposalId, trusted },
    )
  } finally {
    node.close()
  }
}
