// Schemas of proofs: stored bytes with a Merkle proof, signed headers and validator sets.
import { type Static, Type } from 'typebox'
import { ProofOp, ValidatorsObserved } from '../../ingest/contract/proof-events.ts'
import { createColumns } from './columns.ts'
import {
  AsOf,
  component,
  count,
  createEnvelope,
  Height,
  Href,
  nullable,
  nullableText,
  PAGING,
  Timestamp,
  text,
  truncation,
} from './common.ts'

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

const ValidatorsLink = component(
  'ValidatorsLink',
  { hash: ValidatorsHash, link: Href },
  { description: SIGNERS },
)

/** An object with the members that the chain defines. */
const chainObject = (title: string, description: string) =>
  Type.Object({}, { title, additionalProperties: true, description })

const Header = chainObject('BlockHeader', HEADER)
const Commit = chainObject('BlockCommit', COMMIT)

const ProofLinks = component('ProofLinks', { self: Href, proposal: Href, lightBlocks: Href })

const MISSING = 'Null if missing; `reason` has the cause'

export const ProposalProof = component(
  'ProposalProof',
  {
    proposalId: Type.String({ pattern: '^[0-9]+$' }),
    round: count('The voting round that ended at `height`; 0 for the submission'),
    height: Type.Integer({
      minimum: 1,
      description: 'The height of the proved state; the header is of the next height',
    }),
    store: text('The module store that contains the value'),
    key: Type.String({ pattern: '^[0-9A-F]+$', description: 'The key in the store, in hex' }),
    value: nullableText(`The stored bytes of the proposal, in base64. ${MISSING}`),
    proofOps: nullable(
      Type.Array(ProofOp),
      `The Merkle proof from the value to \`app_hash\` of the header. ${MISSING}`,
    ),
    header: nullable(Header, `${HEADER}. ${MISSING}`),
    commit: nullable(Commit, `${COMMIT}. ${MISSING}`),
    validators: nullable(ValidatorsLink, `${SIGNERS}. Null if \`header\` is null`),
    reason: nullableText('Why a part of the proof is null; null if the proof is complete'),
    links: ProofLinks,
    asOf: AsOf,
    ...truncation,
  },
  {
    description:
      'A proof of the state of a proposal. A client that trusts one header of the chain can verify it without trust in this service or its nodes',
  },
)
export type ProposalProof = Static<typeof ProposalProof>

export const ValidatorSet = component(
  'ValidatorSet',
  { hash: ValidatorsHash, validators: ValidatorsObserved.properties.data.properties.validators },
  { description: 'All validators of a set with their keys and voting powers' },
)
export type ValidatorSet = Static<typeof ValidatorSet>

export const LightBlockItem = component('LightBlockItem', {
  height: Height,
  hash: BlockHash,
  time: nullable(Timestamp, 'The time of the header; null if it has none'),
  validatorsHash: ValidatorsHash,
  link: Type.String({ format: 'uri-reference', description: 'URL of the light block' }),
})
export type LightBlockItem = Static<typeof LightBlockItem>

export const LightBlockPage = createEnvelope('LightBlockPage', LightBlockItem, PAGING.numbered)

export const LightBlock = component(
  'LightBlock',
  {
    height: Height,
    hash: BlockHash,
    header: Header,
    commit: Commit,
    validators: ValidatorsLink,
    asOf: AsOf,
  },
  { description: 'A header with the commit that signs it' },
)
export type LightBlock = Static<typeof LightBlock>

export const LIGHT_BLOCK_COLUMNS = createColumns<LightBlockItem>(LightBlockItem)
