// The CloudEvents 1.0 envelope around every fact in the log, and the total order that facts have.
import { type Static, type TObject, type TProperties, Type } from 'typebox'
import { Reason, withDescription } from './facts.ts'

/** Events one ABCI event may cause: `index = ordinal · SUB_LIMIT + sub`. */
export const SUB_LIMIT = 2 ** 12

/**
 * Ordinals of one height. A governance event's ordinal is its rank, from 1, among all ABCI events of
 * the block. Where the rank of any governance event of the height is beyond `lastAbciEvent`, all
 * governance events of that height count 1, 2, 3, … by themselves, in the order of the block. So no
 * number of other events can exhaust the index, and the block alone decides the ordinals.
 */
export const ORDINAL = {
  /** State before the block's events: `chain.snapshot`. */
  before: 0,
  firstAbciEvent: 1,
  lastAbciEvent: 2 ** 19 - 3,
  /** State after them: `stake.changed`, `pools.observed`, `params.observed`. */
  after: 2 ** 19 - 2,
  /** `block.indexed`, always last. */
  marker: 2 ** 19 - 1,
} as const

const INDEX_SPAN = 2n ** 32n

/** Heights beyond it have no position in a UInt64. */
const Height = Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 })

const SUBJECT =
  '`proposals/{proposalId}` where the event is about one proposal, `voters/{address}` in `stake.changed`; else absent.'

/** Members of every envelope, on both sides of `type`. */
const before = {
  specversion: Type.Literal('1.0', { description: 'The version of CloudEvents.' }),
  id: Type.String({ description: '`{chainId}/{height}/{index}`: unique in the log.' }),
  source: Type.String({ description: '`/chains/{chainId}`.' }),
  subject: Type.Optional(Type.String({ description: SUBJECT })),
}
const after = {
  time: Type.String({ description: 'The time of the block: RFC 3339, as the chain wrote it.' }),
  datacontenttype: Type.Literal('application/json', { description: 'What `data` is.' }),
  height: withDescription(Height, 'The height of the block that the event belongs to.'),
  index: Type.Integer({
    minimum: 0,
    maximum: 2 ** 31 - 1,
    description: 'The order within the height: `ordinal · 4096 + sub`.',
  }),
}

/** What a reader of EVENTS.md learns about a type of event beside its fields. */
export type EventNotes = {
  title: string
  /** What it says. */
  description: string
  /** Which fact of the chain it is written for. */
  'x-written': string
  /** Which height's state its data is. */
  'x-state': string
  /** Its ordinal and `sub`. */
  'x-order': string
}

export const Omission = Type.Object(
  {
    path: Type.String({ description: 'JSON pointer into `data`; empty for all of it.' }),
    bytes: Type.Integer({ minimum: 0, description: 'Bytes of the original value as JSON.' }),
    sha256: Type.String({
      pattern: '^[0-9a-f]{64}$',
      description: 'SHA-256 of the original value as JSON, in hex.',
    }),
  },
  {
    title: 'Omission',
    description: 'A value that was left out of an event that is too large for the log.',
  },
)
export type Omission = Static<typeof Omission>

/** Only an event that was too large for the log has these. */
const omissions = {
  omitted: Type.Optional(
    Type.Array(Omission, {
      description: 'The first 100 values that were left out: shortened, emptied or set to null.',
    }),
  ),
  omittedReason: Type.Optional(
    withDescription(Reason, 'Why values were left out; absent where none was.'),
  ),
}

/** One fact: the envelope with the data of its type. */
export const createEventSchema = <Name extends string, Properties extends TProperties>(
  type: Name,
  notes: EventNotes,
  data: TObject<Properties>,
) =>
  Type.Object(
    {
      ...before,
      type: Type.Literal(type),
      ...after,
      data: Type.Object({ ...data.properties, ...omissions }),
    },
    { $id: type, ...notes },
  )

/** An envelope whose `data` nobody has looked at yet. */
export const EventEnvelope = Type.Object({
  ...before,
  type: Type.String({ description: '`rollcall.<name>.v<n>`: what `data` is.' }),
  ...after,
  data: Type.Unknown({ description: 'The fact itself, by type.' }),
})
export type EventEnvelope = Static<typeof EventEnvelope>

const PROPOSAL_SUBJECT = /^proposals\/([0-9]+)$/
const LARGEST_ID = 2n ** 64n - 1n

/** Whether a chain can have a proposal of this id. */
const isProposalId = (text: unknown): text is string =>
  typeof text === 'string' && /^[0-9]{1,20}$/.test(text) && BigInt(text) <= LARGEST_ID

/** The proposal that an event is about, by its subject or its data; undefined for a fact about the whole chain. */
export const readProposalId = ({ subject, data }: EventEnvelope): string | undefined => {
  const named = typeof data === 'object' && data !== null ? Reflect.get(data, 'proposalId') : null
  return [PROPOSAL_SUBJECT.exec(subject ?? '')?.[1], named].find(isProposalId)
}

/** The chain that an event is of. */
export const readChainId = ({ source }: Pick<EventEnvelope, 'source'>): string =>
  source.replace(/^\/chains\//, '')

/** Order on the chain: `height · 2^32 + index`. Fits ClickHouse's UInt64. */
export const toPosition = ({ height, index }: { height: number; index: number }): bigint =>
  BigInt(height) * INDEX_SPAN + BigInt(index)

/** The height that a position lies in. */
export const toHeight = (position: bigint): number => Number(position / INDEX_SPAN)

/** `index` of the `sub`-th event that hangs on `ordinal`. Throws where the height has no room. */
export const toIndex = (ordinal: number, sub: number): number => {
  if (ordinal < 0 || ordinal > ORDINAL.marker || sub < 0 || sub >= SUB_LIMIT) {
    throw new RangeError(`no event index for ordinal ${ordinal}, sub ${sub}`)
  }
  return ordinal * SUB_LIMIT + sub
}
