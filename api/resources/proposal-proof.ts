// `GET /api/proposals/{proposalId}/proof`: what proves the state of a proposal, at its submission or at the end of a round.
import { hasLastProof, type ProofAt, readProof, type StoredProof } from '../read/queries/proofs.ts'
import { heightVersion, type Query } from '../read/query.ts'
import type { Snapshot } from '../read/snapshot.ts'
import { ProposalProof } from '../schemas/proof.ts'
import { defineItem } from './item.ts'
import { lightBlocks } from './light-blocks.ts'
import { formatPath, PROPOSAL_PROBLEMS } from './operation.ts'
import { PROOF_PARAMETERS } from './parameters.ts'
import { proposal } from './proposal.ts'

/** `asOf` where the answer is final; null where it follows the height that is served. */
type Value = Omit<ProposalProof, 'links' | 'asOf'> & { asOf: StoredProof['writtenAt'] | null }

const formatProofPath = ({ proposalId, round }: ProofAt): string =>
  `/api/proposals/${proposalId}/proof${round === undefined ? '' : `?round=${round}`}`

/** The proof of a round never changes. The latest proof may be replaced until the last one is there. */
const createProofQuery = (at: ProofAt): Query<Value, ProposalProof> => {
  const isFinal = (snapshot: Snapshot) =>
    at.round !== undefined || hasLastProof(snapshot, at.proposalId)
  return {
    name: formatProofPath(at),
    // An answer that is not final is as of the height that is served, also where the proposal is closed.
    proposalId: null,
    isFinal,
    version: (snapshot) => (isFinal(snapshot) ? `${snapshot.generation}` : heightVersion(snapshot)),
    read: async (reads) => {
      const { writtenAt, ...proof } = await readProof(reads, at)
      const asOf = isFinal(reads.snapshot) ? writtenAt : null
      return { value: { ...proof, asOf }, consistency: 'settled' }
    },
    complete: ({ asOf, ...proof }, { asOf: completedAsOf, baseUrl }) => ({
      ...proof,
      links: {
        self: baseUrl + formatProofPath(proof),
        proposal: baseUrl + formatPath(proposal, proof),
        lightBlocks: baseUrl + lightBlocks.path,
      },
      asOf: asOf ?? completedAsOf,
    }),
  }
}

export const proposalProof = defineItem({
  operationId: 'getProposalProof',
  path: '/api/proposals/:proposalId/proof',
  tag: 'Proofs',
  summary: 'What proves its state',
  description:
    'The proposal as the store of the chain has it, the Merkle proof to the app hash, and the header with the commit that signs it: at the submission (`round=0`) and at the end of each round of voting. Without `round` it is the latest. A proof is there two heights after what it proves, and never changes.',
  pathParameters: ['proposalId'],
  queryParameters: ['round'],
  parameters: PROOF_PARAMETERS,
  answer: ProposalProof,
  problems: [...PROPOSAL_PROBLEMS, 'proof-not-found'],
  query: createProofQuery,
})
