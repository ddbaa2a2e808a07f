// Events that help to read a proposal's messages: related state, and long bytes.
import { type Static, Type } from 'typebox'
import { createEventSchema } from './envelope.ts'
import { chunkMembers, STATE_AFTER } from './event-members.ts'
import { Base64, DecodedJson, nullable, ProposalId, Reason, withDescription } from './facts.ts'

const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 in hex.' })

const CHUNKS = 'A chunk has at most 512 KiB of base64.'

export const StateObservation = Type.Object(
  {
    query: Type.String({
      description: 'The gRPC method, such as `/cosmos.gov.v1.Query/Params`.',
    }),
    request: withDescription(
      DecodedJson,
      'The request as JSON with proto names; `{}` if it has no fields.',
    ),
    response: nullable(
      DecodedJson,
      'The response in the JSON of the node’s REST API. Null if the node cannot answer.',
      'reason',
    ),
    reason: nullable(Reason, 'Why `response` is null; null if it is not null.'),
  },
  { title: 'StateObservation', description: 'The response of the chain’s state to one query.' },
)
export type StateObservation = Static<typeof StateObservation>

export const ProposalContext = createEventSchema(
  'rollcall.proposal.context.v1',
  {
    title: 'Proposal context',
    description:
      'The parameters that the messages of a proposal would change, as they are without it. ' +
      'A later observation of the same query and request replaces this one.',
    'x-written':
      'After each event with such messages, and after a `chain.snapshot` for each open proposal with such messages. ' +
      'Again at each height at which another proposal passes while the proposal is open.',
    'x-state': STATE_AFTER,
    'x-order':
      'After the event with the messages: `sub` 2 at its ordinal. At a snapshot: `sub` from 2048 at ordinal 0. ' +
      'Later: `sub` from 3968 at ordinal 524286, after all ABCI events.',
  },
  Type.Object({
    proposalId: ProposalId,
    observations: Type.Array(StateObservation, {
      description: 'In the order of the messages. At most 64.',
    }),
  }),
)

export const MessageBytes = createEventSchema(
  'rollcall.message.bytes.v1',
  {
    title: 'Message bytes',
    description: `The bytes of a message field with more than 4 KiB, in chunks. The message has \`sha256\` and \`size\` instead. ${CHUNKS}`,
    'x-written': 'For each such field, after the event with the message.',
    'x-state': 'None: the bytes are in the message.',
    'x-order':
      'The ordinal of the event with the message; `sub` from 3, or from 2304 at a snapshot.',
  },
  Type.Object({
    ...chunkMembers,
    proposalId: ProposalId,
    message: Type.Integer({ minimum: 0, description: 'Index of the message in the proposal.' }),
    path: Type.String({ description: 'JSON pointer of the field in the message.' }),
    sha256: withDescription(Sha256, 'SHA-256 of all bytes of the field, in hex.'),
    size: Type.Integer({ minimum: 0, description: 'Number of bytes of the field.' }),
    bytes: withDescription(Base64, 'This chunk of the bytes, in base64.'),
  }),
)
