// What it takes to read and explain a proposal's messages: the chain's schema, the state that they touch, and long bytes.
import { type Static, Type } from 'typebox'
import { createEventSchema } from './envelope.ts'
import { chunkMembers, STATE_AFTER } from './event-members.ts'
import {
  Base64,
  DecodedJson,
  nullable,
  ProposalId,
  Reason,
  Time,
  withDescription,
} from './facts.ts'

const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 in hex.' })

const CHUNKS = 'A chunk has at most 512 KiB of base64.'

export const SchemaObserved = createEventSchema(
  'rollcall.schema.observed.v1',
  {
    title: 'Schema observed',
    description: `The protobuf files of the chain, with which ingest decodes messages from here on, in chunks. ${CHUNKS}`,
    'x-written':
      'At the first height of the log, and at a height with a submission if the node’s version has changed, or if a message ' +
      'has a type or a field that is not known: where the files differ from the last ones. Nothing is written where the node ' +
      'has no reflection service: ingest then decodes with its built-in files.',
    'x-state': 'None: the files belong to the node’s software.',
    'x-order':
      'Ordinal 0, before the events of the block, behind a snapshot; `sub` is 3968 plus the chunk.',
  },
  Type.Object({
    ...chunkMembers,
    hash: withDescription(Sha256, 'SHA-256 of the whole `FileDescriptorSet`, in hex.'),
    size: Type.Integer({ minimum: 1, description: 'Bytes of the whole `FileDescriptorSet`.' }),
    gzip: withDescription(
      Base64,
      'This chunk of the gzip-compressed `google.protobuf.FileDescriptorSet`, in base64.',
    ),
  }),
)

export const StateObservation = Type.Object(
  {
    query: Type.String({
      description: 'The gRPC method, such as `/cosmos.gov.v1.Query/Params`.',
    }),
    request: withDescription(
      DecodedJson,
      'The request as JSON with proto names; `{}` where it has no fields.',
    ),
    response: nullable(DecodedJson, {
      description: 'The response as the node’s REST has it. Null where the node cannot answer.',
      'x-reason': 'reason',
    }),
    reason: nullable(Reason, {
      description: 'Why `response` is null; null where it is not.',
    }),
  },
  { title: 'StateObservation', description: 'What the chain’s state answers to one query.' },
)
export type StateObservation = Static<typeof StateObservation>

export const EarlierBlock = Type.Object(
  {
    height: Type.Integer({ minimum: 1, description: 'The height of the block.' }),
    time: withDescription(Time, 'The time of the block.'),
  },
  {
    title: 'EarlierBlock',
    description: 'A block some heights earlier: with it a reader can estimate the block time.',
  },
)
export type EarlierBlock = Static<typeof EarlierBlock>

export const ProposalContext = createEventSchema(
  'rollcall.proposal.context.v1',
  {
    title: 'Proposal context',
    description:
      'What the state of the chain says about the things that the messages of a proposal touch: the parameters that it changes, ' +
      'the pool that it spends from, the contract that it migrates. A later observation of the same query and request replaces this one.',
    'x-written':
      'After each `proposal.submitted`, and after a `chain.snapshot` for each open proposal, whose messages touch such things. Again, for the parameters alone, at each height at ' +
      'which another proposal passed, if they changed, while the proposal is open.',
    'x-state': STATE_AFTER,
    'x-order':
      'At the submission: the ordinal of its ABCI event, with `sub` 2; at a snapshot: ordinal 0, with `sub` from 2048. ' +
      'Later: ordinal 524286, after all ABCI events, with `sub` from 3968.',
  },
  Type.Object({
    proposalId: ProposalId,
    observations: Type.Array(StateObservation, {
      description: 'In the order of the messages. At most 64.',
    }),
    earlierBlock: nullable(EarlierBlock, {
      description:
        'At the submission of a software upgrade; else null, also where the node has no such block.',
    }),
  }),
)

export const MessageBytes = createEventSchema(
  'rollcall.message.bytes.v1',
  {
    title: 'Message bytes',
    description: `The bytes of a field of a message that has more than 4 KiB, in chunks: the message has \`sha256\` and \`size\` in their place. ${CHUNKS}`,
    'x-written':
      'After the `proposal.submitted` or the `chain.snapshot` that has the message, for each such field.',
    'x-state': 'None: the bytes are those of the message.',
    'x-order':
      'The ordinal of the event that has the message; `sub` from 3, or from 2304 at a snapshot.',
  },
  Type.Object({
    ...chunkMembers,
    proposalId: ProposalId,
    message: Type.Integer({ minimum: 0, description: 'Index of the message in the proposal.' }),
    path: Type.String({ description: 'JSON pointer of the field in the message.' }),
    sha256: withDescription(Sha256, 'SHA-256 of all bytes of the field, in hex.'),
    size: Type.Integer({ minimum: 0, description: 'How many bytes the field has.' }),
    bytes: withDescription(Base64, 'This chunk of the bytes, in base64.'),
  }),
)
