// What proves the state of a proposal: its stored bytes with their proof, and signed headers with the validators who signed them.
import { type Static, Type } from 'typebox'
import { createEventSchema } from './envelope.ts'
import { chunkMembers } from './event-members.ts'
import {
  Base64,
  DecodedJson,
  IntegerString,
  nullable,
  ProposalId,
  Reason,
  withDescription,
} from './facts.ts'

const BlockHash = Type.String({ pattern: '^[0-9A-F]{64}$', description: 'SHA-256 in hex.' })

const ORDER =
  'Ordinal 0, before the events of the block: `sub` 0 is the light block, 1 the validators, from 2 the proofs in the order of what they prove.'

const ValidatorsHash = withDescription(
  BlockHash,
  'The `validators_hash` of the header; `validators.observed` has the set.',
)

export const LightBlockObserved = createEventSchema(
  'rollcall.light-block.observed.v1',
  {
    title: 'Light block observed',
    description:
      'A header with the commit that signs it, as the RPC of the node has both. Ingest has checked them: the header has the hash that the chain continues with, and more than two thirds of its validators’ power signed it.',
    'x-written':
      'For the first height of the log, for each height that is a multiple of 100,000, and for the height after each submission, each end of a vote and each restart of one.',
    'x-state': 'None: the block before this one. Its commit is the one that this block contains.',
    'x-order': ORDER,
  },
  Type.Object({
    blockHeight: Type.Integer({
      minimum: 1,
      description: 'The height of the header: the one before the height of this event.',
    }),
    hash: withDescription(BlockHash, 'The hash of the header.'),
    header: nullable(DecodedJson, {
      description: 'As `header` of `/commit`. Null where no endpoint has a valid one.',
      'x-reason': 'reason',
    }),
    commit: nullable(DecodedJson, {
      description: 'As `commit` of `/commit`. Null where `header` is.',
      'x-reason': 'reason',
    }),
    validatorsHash: nullable(ValidatorsHash, {
      description: 'Which `validators.observed` signed. Null where `header` is.',
      'x-reason': 'reason',
    }),
    reason: nullable(Reason, { description: 'Why `header` is null; null where it is not.' }),
  }),
)

export const ConsensusValidator = Type.Object(
  {
    address: Type.String({
      pattern: '^[0-9A-F]{40}$',
      description: 'The address of the consensus key, in hex.',
    }),
    pub_key: Type.Object(
      {
        type: Type.String({ description: 'The amino name of the type of key.' }),
        value: withDescription(Base64, 'The key, in base64.'),
      },
      { description: 'The consensus key.' },
    ),
    voting_power: withDescription(IntegerString, 'Its power in consensus.'),
  },
  {
    title: 'ConsensusValidator',
    description: 'A validator with its consensus key, as `/validators` has it.',
  },
)
export type ConsensusValidator = Static<typeof ConsensusValidator>

export const ValidatorsObserved = createEventSchema(
  'rollcall.validators.observed.v1',
  {
    title: 'Validators observed',
    description: 'The validator set that signed a light block, all of it.',
    'x-written': 'With a `light-block.observed` whose validator set is not the last one written.',
    'x-state': 'The set at `blockHeight` of the light block.',
    'x-order': ORDER,
  },
  Type.Object({
    hash: ValidatorsHash,
    validators: Type.Array(ConsensusValidator, {
      description: 'In the order of the set, which its hash depends on.',
    }),
  }),
)

export const ProofOp = Type.Object(
  {
    type: Type.String({ description: '`ics23:iavl` or `ics23:simple`.' }),
    key: withDescription(Base64, 'The key that is proved, in base64.'),
    data: withDescription(Base64, 'A protobuf `CommitmentProof`, in base64.'),
  },
  { title: 'ProofOp', description: 'One step of a Merkle proof, as `abci_query` gives it.' },
)
export type ProofOp = Static<typeof ProofOp>

export const ProposalProof = createEventSchema(
  'rollcall.proposal.proof.v1',
  {
    title: 'Proposal proof',
    description:
      'A proposal as the store of the chain has it after `stateHeight`, with the proof that leads to the app hash in the header of the height after that. A value of more than 512 KiB of base64 has several chunks; one whose chunks have more than 32 MiB with the other proofs of the height is left out.',
    'x-written':
      'Two heights after each submission, each end of a vote and each restart of one; the `light-block.observed` of the height between has the header.',
    'x-state': 'The committed state of `stateHeight`.',
    'x-order': ORDER,
  },
  Type.Object({
    ...chunkMembers,
    proposalId: ProposalId,
    round: Type.Integer({
      minimum: 0,
      maximum: 2 ** 16 - 1,
      description: 'The round of voting that ended at `stateHeight`; 0 at the submission.',
    }),
    stateHeight: Type.Integer({ minimum: 1, description: 'Two heights before this event.' }),
    store: Type.Literal('gov', { description: 'The store of the module.' }),
    key: Type.String({ pattern: '^[0-9A-F]+$', description: 'The key in the store, in hex.' }),
    value: nullable(withDescription(Base64, 'This chunk of the stored bytes, in base64.'), {
      description:
        'This chunk of the stored bytes, in base64. Null where no endpoint gives a valid proof.',
      'x-reason': 'reason',
    }),
    proofOps: nullable(Type.Array(ProofOp), {
      description: 'From the value to the app hash; in each chunk. Null where `value` is.',
      'x-reason': 'reason',
    }),
    reason: nullable(Reason, { description: 'Why `value` is null; null where it is not.' }),
  }),
)
