// Events that prove the state of a proposal: its stored bytes with their proof, and signed headers with their validators.
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
  'Ordinal 0, before the events of the block. `sub` 0 is the light block, 1 the validators, from 2 the proofs in the order of their causes.'

const ValidatorsHash = withDescription(
  BlockHash,
  'The `validators_hash` of the header; `validators.observed` has the set.',
)

export const LightBlockObserved = createEventSchema(
  'rollcall.light-block.observed.v1',
  {
    title: 'Light block observed',
    description:
      'A header with its commit, in the JSON of the node’s RPC. Ingest verified both: the next block names the hash of the header, ' +
      'and validators with more than two thirds of the power signed it.',
    'x-written':
      'For the first height of the log, and for each height that is a multiple of 100,000. Also for the height after each ' +
      'submission, end of a vote and restart of a vote.',
    'x-state': 'None: it is the previous block. Its commit is in this block.',
    'x-order': ORDER,
  },
  Type.Object({
    blockHeight: Type.Integer({
      minimum: 1,
      description: 'The height of the header: one below the height of this event.',
    }),
    hash: withDescription(BlockHash, 'The hash of the header.'),
    header: nullable(
      DecodedJson,
      'As `header` of `/commit`. Null if no endpoint has a valid one.',
      'reason',
    ),
    commit: nullable(DecodedJson, 'As `commit` of `/commit`. Null if `header` is null.', 'reason'),
    validatorsHash: nullable(
      ValidatorsHash,
      'The `validators.observed` that signed. Null if `header` is null.',
      'reason',
    ),
    reason: nullable(Reason, 'Why `header` is null; null if it is not null.'),
  }),
)

export const ConsensusKey = Type.Object(
  {
    type: Type.String({ description: 'The amino name of the type of key.' }),
    value: withDescription(Base64, 'The key, in base64.'),
  },
  { title: 'ConsensusKey', description: 'The consensus key.' },
)

export const ConsensusValidator = Type.Object(
  {
    address: Type.String({
      pattern: '^[0-9A-F]{40}$',
      description: 'The address of the consensus key, in hex.',
    }),
    pub_key: ConsensusKey,
    voting_power: withDescription(IntegerString, 'Its power in consensus.'),
  },
  {
    title: 'ConsensusValidator',
    description: 'A validator with its consensus key, as in `/validators`.',
  },
)
export type ConsensusValidator = Static<typeof ConsensusValidator>

export const ValidatorsObserved = createEventSchema(
  'rollcall.validators.observed.v1',
  {
    title: 'Validators observed',
    description: 'The complete validator set that signed a light block.',
    'x-written':
      'With a `light-block.observed` if the validator set differs from the last one in the log.',
    'x-state': 'The set at `blockHeight` of the light block.',
    'x-order': ORDER,
  },
  Type.Object({
    hash: ValidatorsHash,
    validators: Type.Array(ConsensusValidator, {
      description: 'In the order of the set: the hash depends on it.',
    }),
  }),
)

export const ProofOp = Type.Object(
  {
    type: Type.String({ description: '`ics23:iavl` or `ics23:simple`.' }),
    key: withDescription(Base64, 'The proved key, in base64.'),
    data: withDescription(Base64, 'A protobuf `CommitmentProof`, in base64.'),
  },
  { title: 'ProofOp', description: 'One step of a Merkle proof, as in `abci_query`.' },
)
export type ProofOp = Static<typeof ProofOp>

export const ProposalProof = createEventSchema(
  'rollcall.proposal.proof.v1',
  {
    title: 'Proposal proof',
    description:
      'A proposal in the store of the chain after `stateHeight`, with the proof up to the app hash in the next header. ' +
      'A value of more than 512 KiB of base64 has several chunks. It is left out if the proofs of the height have more than 32 MiB.',
    'x-written':
      'Two heights after each submission, end of a vote and restart of a vote. The `light-block.observed` of the same height has the header.',
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
    value: nullable(
      withDescription(Base64, 'This chunk of the stored bytes, in base64.'),
      'This chunk of the stored bytes, in base64. Null if no endpoint returns a valid proof.',
      'reason',
    ),
    proofOps: nullable(
      Type.Array(ProofOp),
      'From the value to the app hash; in each chunk. Null if `value` is null.',
      'reason',
    ),
    reason: nullable(Reason, 'Why `value` is null; null if it is not null.'),
  }),
)
