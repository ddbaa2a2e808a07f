// The CloudEvents 1.0 envelope of every fact in the log, and the total order of facts.
import { type Static, type TObject, type TProperties, Type } from 'typebox'
import { optional, Reason, withDescription } from './facts.ts'

/** Limit of events from one ABCI event: `index = ordinal · SUB_LIMIT + sub`. */
export const SUB_LIMIT = 2 ** 12

/**
 * Ordinals of one height. A governance event's ordinal is its rank, from 1, among all ABCI events of the
 * block. If any rank is beyond `lastAbciEvent`, the governance events of that height are numbered 1, 2, 3, …
 * in the order of the block. So other events cannot exhaust the index, and the block alone decides the
 * ordinals.
 */
export const ORDINAL = {
  /** State before the block's events: `chain.snapshot`. */
  before: 0,
  firstAbciEvent: 1,
  lastAbciEvent: 2 ** 19 - 67,
  /** `proposal.reconciled` of a proposal that no event of the block is about. */
  firstReading: 2 ** 19 - 66,
  lastReading: 2 ** 19 - 4,
  /** Votes that ended before the first indexed height. */
  history: 2 ** 19 - 3,
  /** State after the block's events: `round.read`, `proposal.context`. */
  after: 2 ** 19 - 2,
  /** `block.indexed`, always last. */
  marker: 2 ** 19 - 1,
} as const

const INDEX_SPAN = 2n ** 32n

/** Higher heights have no position in a UInt64. */
const Height = Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 })

const SUBJECT = '`proposals/{proposalId}` if the event is about one proposal; else absent.'

/** Members of every envelope, before and after `type`. */
const before = {
  specversion: Type.Literal('1.0', { description: 'The version of CloudEvents.' }),
  id: Type.String({ description: '`{chainId}/{height}/{index}`: unique in the log.' }),
  source: Type.String({ description: '`/chains/{chainId}`.' }),
  subject: optional(Type.String(), SUBJECT),
}
const after = {
  time: Type.String({ description: 'The time of the block: RFC 3339, as the chain wrote it.' }),
  datacontenttype: Type.Literal('application/json', { description: 'The media type of `data`.' }),
  height: withDescription(Height, 'The height of the block that the event belongs to.'),
  index: Type.Integer({
    minimum: 0,
    maximum: 2 ** 31 - 1,
    description: 'The order within the height: `ordinal · 4096 + sub`.',
  }),
}

/** Notes about an event type in EVENTS.md, in addition to its fields. */
export type EventNotes = {
  title: string
  /** The meaning of the event. */
  description: string
  /** The fact of the chain that causes it. */
  'x-written': string
  /** The height of the state in its data. */
  'x-state': string
  /** Its ordinal and `sub`. */
  'x-order': string
}

export const Omission = Type.Object(
  {
    path: Type.String({ description: 'JSON pointer into `data`; empty for the whole `data`.' }),
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

/** Only an event that was too large for the log has these members. */
const omissions = {
  omitted: optional(
    Type.Array(Omission),
    'The first 100 values that were left out: shortened, emptied or set to null.',
  ),
  omittedReason: optional(Reason, 'Why values were left out; absent if none was.'),
}

/** One event: the envelope with the data of its type. */
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

/** An envelope with `data` that is not validated yet. */
export const EventEnvelope = Type.Object(
  {
    ...before,
    type: Type.String({ description: '`rollcall.<name>.v<n>`: the type of `data`.' }),
    ...after,
    data: Type.Unknown({ description: 'The fact, by type.' }),
  },
  { title: 'Event' },
)
export type EventEnvelope = Static<typeof EventEnvelope>

const PROPOSAL_SUBJECT = /^proposals\/([0-9]+)$/
const LARGEST_ID = 2n ** 64n - 1n

/** Whether a chain can have a proposal with this ID. */
const isProposalId = (text: unknown): text is string =>
  typeof text === 'string' && /^[0-9]{1,20}$/.test(text) && BigInt(text) <= LARGEST_ID

/** The proposal of an event, from its subject or its data; undefined for a fact about the whole chain. */
export const readProposalId = ({ subject, data }: EventEnvelope): string | undefined => {
  const named = typeof data === 'object' && data !== null ? Reflect.get(data, 'proposalId') : null
  return [PROPOSAL_SUBJECT.exec(subject ?? '')?.[1], named].find(isProposalId)
}

/** The chain of an event. */
export const readChainId = ({ source }: Pick<EventEnvelope, 'source'>): string =>
  source.replace(/^\/chains\//, '')

/** Order on the chain: `height · 2^32 + index`. Fits ClickHouse's UInt64. */
export const toPosition = ({ height, index }: { height: number; index: number }): bigint =>
  BigInt(height) * INDEX_SPAN + BigInt(index)

/** The height of a position. */
export const toHeight = (position: bigint): number => Number(position / INDEX_SPAN)

/** The ordinal of an `index`. */
export const toOrdinal = (index: number): number => Math.floor(index / SUB_LIMIT)

/** The ordinal of a position. */
export const ordinalAt = (position: bigint): number => toOrdinal(Number(position % INDEX_SPAN))

/** The `index` of the `sub`-th event of `ordinal`. Throws if it exceeds the index of the height. */
export const toIndex = (ordinal: number, sub: number): number => {
  if (ordinal < 0 || ordinal > ORDINAL.marker || sub < 0 || sub >= SUB_LIMIT) {
    throw new RangeError(`no event index for ordinal ${ordinal}, sub ${sub}`)
  }
  return ordinal * SUB_LIMIT + sub
}
