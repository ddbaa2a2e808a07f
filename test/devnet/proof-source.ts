// Reads stored proposals with their ICS-23 proof, and light blocks, from a node. `infra/base/proof` checks every member of the JSON.
import { GOV_STORE, proposalKey } from '../../infra/base/proof/proposal.ts'
import type { TrustedHeader } from '../../infra/base/proof/trusted-header.ts'
import type { VerifiedProposal } from '../../infra/base/proof/verify.ts'
import { middleHeight, verifyFromSource } from '../../infra/base/proof/verify-from-source.ts'
import { readLightBlockJson } from '../../ingest/comet/verification/light-block.ts'
import { verifySignature } from '../../ingest/comet/verification/validator-sets.ts'
import type { RawRpc } from './rpc.ts'

export const createProofSource = ({ call }: RawRpc) => {
  const lightBlock = async (height: number): Promise<object> => {
    const { header, commit, validators } = await readLightBlockJson({ call }, BigInt(height))
    return { header, commit, validators }
  }
  return {
    /** `{ header, commit, validators }`. */
    lightBlock,
    /** JSON for `verifyProposal`; `height` is the height of the state. */
    async proof(proposalId: bigint, height: number) {
      const key = Buffer.from(proposalKey(proposalId)).toString('hex')
      const query = { path: `/store/${GOV_STORE}/key`, data: key, height: `${height}`, prove: true }
      const { response } = await call('abci_query', query)
      const { value, proofOps } = response
      const block = await lightBlock(height + 1)
      return { height, store: GOV_STORE, key, value, proofOps: proofOps?.ops ?? [], ...block }
    },
  }
}

/** Throws a `ProofError` for the first problem. */
export const verifyAtNode = async (
  rpc: RawRpc,
  options: { proposalId: bigint; height: number; trusted: TrustedHeader },
): Promise<VerifiedProposal> => {
  const { proposalId, height, trusted } = options
  const { proof, lightBlock } = createProofSource(rpc)
  const source = {
    proof: () => proof(proposalId, height),
    lightBlock: (at: bigint) => lightBlock(Number(at)),
    heightBetween: middleHeight,
    verifySignature,
  }
  return verifyFromSource(source, { proposalId, trusted })
}
