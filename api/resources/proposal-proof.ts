// `GET /api/proposals/{proposalId}/proof`: the proof of a proposal at its submission or at the end of a round.
import { Type } from 'typebox'
import { hasLastProof, type ProofAt, readProof, type StoredProof } from '../read/queries/proofs.ts'
import { generationVersion, heightVersion, type Query } from '../read/query.ts'
import type { Snapshot } from '../read/snapshot.ts'
import { ProposalProof } from '../schemas/proof.ts'
import { fits, inTokens } from '../words/shortened.ts'
import { lightBlocks } from './light-blocks.ts'
import { defineItem } from './operation.ts'
import { createParameter, type OwnParameters } from './parameters.ts'
import { formatPath } from './path-parameters.ts'
import { proposal } from './proposal.ts'

/** `asOf` of a final response; null if the response follows the served height. */
type Value = Omit<ProposalProof, 'links' | 'asOf'> & { asOf: StoredProof['writtenAt'] | null }

const formatProofPath = ({ proposalId, round }: ProofAt): string =>
  `/api/proposals/${proposalId}/proof${round === undefined ? '' : `?round=${round}`}`

/** A part of a proof proves nothing. */
const LEFT_OUT = {
  value: null,
  proofOps: null,
  header: null,
  commit: null,
  validators: null,
  reason: 'left out: the proof is too large for this answer; wholeAt has all of it',
  truncated: true,
} as const

/** The proof of a round never changes. The latest proof changes until the last round is proved. */
const createProofQuery = (at: ProofAt): Query<Value, ProposalProof> => {
  const isFinal = (snapshot: Snapshot) =>
    at.round !== undefined || hasLastProof(snapshot, at.proposalId)
  return {
    name: formatProofPath(at),
    // A response that is not final has the served height as `asOf`, also for a closed proposal.
    proposalId: null,
    isFinal,
    version: (snapshot) =>
      isFinal(snapshot) ? generationVersion(snapshot) : heightVersion(snapshot),
    read: async (reads) => {
      const { writtenAt, ...proof } = await readProof(reads, at)
      const asOf = isFinal(reads.snapshot) ? writtenAt : null
      return { value: { ...proof, asOf } }
    },
    complete: ({ asOf, ...proof }, { asOf: completedAsOf, baseUrl, bounds }) => {
      const whole: ProposalProof = {
        ...proof,
        links: {
          self: baseUrl + formatProofPath(proof),
          proposal: baseUrl + formatPath(proposal.path, proof),
          lightBlocks: baseUrl + lightBlocks.path,
        },
        asOf: asOf ?? completedAsOf,
      }
      const isWithin = bounds === undefined || fits(whole, inTokens(bounds.maxTokens))
      return isWithin ? whole : { ...whole, ...LEFT_OUT, wholeAt: formatProofPath(proof) }
    },
  }
}

const MAX_ROUND = 2 ** 16 - 1

/** Round 0 is the submission. */
const PROOF_PARAMETERS = {
  round: createParameter(
    '^(?:0|[1-9][0-9]{0,4})$',
    `an integer from 0 to ${MAX_ROUND}: 0 for the submission, n for the end of round n`,
    {
      parse: Number,
      isInRange: (raw) => Number(raw) <= MAX_ROUND,
      value: Type.Integer({ minimum: 0, maximum: MAX_ROUND }),
      example: 1,
      argument: {
        description: '0 for the submission, n for the end of round n; by default the latest proof',
      },
    },
  ),
} as const satisfies OwnParameters

export const proposalProof = defineItem({
  operationId: 'getProposalProof',
  path: '/api/proposals/:proposalId/proof',
  tag: 'Proofs',
  summary: 'Get the proof of the state of a proposal',
  guide: 'a proof of the proposal that requires no trust in this service',
  description:
    'The stored bytes of the proposal, their Merkle proof to the app hash, and the header with the commit that signs it. `round=0` is the submission, `round=n` is the end of voting round n. Without `round` the response is the latest proof. A proof is available two heights after the proved state and never changes.',
  queryParameters: ['round'],
  parameters: PROOF_PARAMETERS,
  answer: ProposalProof,
  problems: ['proof-not-found'],
  query: createProofQuery,
  tool: {
    name: 'get_proposal_proof',
    title: 'Get the proof of the state of a proposal',
    description:
      'Returns the stored proposal with its Merkle proof and the signed header. A program can verify status and final tally with it, without trust in this service. A proof exists two heights after the submission and after each round.',
    lines: ({ proposalId, round, height, reason, links }) => [
      `Proof of proposal ${proposalId} at ${round === 0 ? 'the submission' : `the end of round ${round}`}, height ${height}.`,
      reason === null
        ? 'It has the value, the Merkle proof, the header and the commit.'
        : `A part is null: ${reason}.`,
      `A program verifies it: \`rollcall proof verify ${proposalId}\` with ${links.self}.`,
    ],
  },
})
