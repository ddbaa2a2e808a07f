// Schemas of proofs: stored bytes with a Merkle proof, signed headers and validator sets.
import { type Static, Type } from 'typebox'
import { ProofOp, ValidatorsObserved } from '../../ingest/contract/proof-events.ts'
import { createColumns } from './columns.ts'
import { AsOf, createEnvelope, Height, Href, nullable, Timestamp, truncation } from './common.ts'

const ValidatorsHash = Type.String({
  pattern: '^[0-9A-F]{64}$',
  description: 'The `validators_hash` of headers, in hex',
})

const BlockHash = Type.String({
  pattern: '^[0-9A-F]{64}$',
  description: 'The hash of the header, in hex',
})

const HEADER = 'The header, as in the RPC of a node'
const COMMIT = 'The commit that signs the header, as in the RPC of a node'
const SIGNERS = 'The validator set that signed the header: hash and URL'

const ValidatorsLink = Type.Object(
  { hash: ValidatorsHash, link: Href },
  { title: 'ValidatorsLink', description: SIGNERS },
)

/** An object with the members that the chain defines. */
const chainObject = (title: string, description: string) =>
  Type.Object({}, { title, additionalProperties: true, description })

const Header = chainObject('BlockHeader', HEADER)
const Commit = chainObject('BlockCommit', COMMIT)

const ProofLinks = Type.Object(
  { self: Href, proposal: Href, lightBlocks: Href },
  { title: 'ProofLinks' },
)

const MISSING = 'Null if missing; `reason` has the cause'

export const ProposalProof = Type.Object(
  {
    proposalId: Type.String({ pattern: '^[0-9]+$' }),
    round: Type.Integer({
      minimum: 0,
      description: 'The voting round that ended at `height`; 0 for the submission',
    }),
    height: Type.Integer({
      minimum: 1,
      description: 'The height of the proved state; the header is of the next height',
    }),
    store: Type.String({ description: 'The module store that contains the value' }),
    key: Type.String({ pattern: '^[0-9A-F]+$', description: 'The key in the store, in hex' }),
    value: nullable(Type.String(), {
      description: `The stored bytes of the proposal, in base64. ${MISSING}`,
    }),
    proofOps: nullable(Type.Array(ProofOp), {
      description: `The Merkle proof from the value to \`app_hash\` of the header. ${MISSING}`,
    }),
    header: nullable(Header, { description: `${HEADER}. ${MISSING}` }),
    commit: nullable(Commit, { description: `${COMMIT}. ${MISSING}` }),
    validators: nullable(ValidatorsLink, {
      description: `${SIGNERS}. Null if \`header\` is null`,
    }),
    reason: nullable(Type.String(), {
      description: 'Why a part of the proof is null; null if the proof is complete',
    }),
    links: ProofLinks,
    asOf: AsOf,
    ...truncation,
  },
  {
    title: 'ProposalProof',
    description:
      'A proof of the state of a proposal. A client that trusts one header of the chain can verify it without trust in this service or its nodes',
  },
)
export type ProposalProof = Static<typeof ProposalProof>

export const ValidatorSet = Type.Object(
  { hash: ValidatorsHash, validators: ValidatorsObserved.properties.data.properties.validators },
  {
    title: 'ValidatorSet',
    description: 'All validators of a set with their keys and voting powers',
  },
)
export type ValidatorSet = Static<typeof ValidatorSet>

export const LightBlockItem = Type.Object(
  {
    height: Height,
    hash: BlockHash,
    time: nullable(Timestamp, { description: 'The time of the header; null if it has none' }),
    validatorsHash: ValidatorsHash,
    link: Type.String({ format: 'uri-reference', description: 'URL of the light block' }),
  },
  { title: 'LightBlockItem' },
)
export type LightBlockItem = Static<typeof LightBlockItem>

export const LightBlockPage = createEnvelope('LightBlockPage', LightBlockItem)

export const LightBlock = Type.Object(
  {
    height: Height,
    hash: BlockHash,
    header: Header,
    commit: Commit,
    validators: ValidatorsLink,
    asOf: AsOf,
  },
  { title: 'LightBlock', description: 'A header with the commit that signs it' },
)
export type LightBlock = Static<typeof LightBlock>

export const LIGHT_BLOCK_COLUMNS = createColumns<LightBlockItem>(LightBlockItem)
