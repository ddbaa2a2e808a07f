// The CloudEvents 1.0 envelope around every fact in the log, and the total order that facts have.
import { type Static, type TObject, type TProperties, Type } from 'typebox'
import { Omission, Reason } from './facts.ts'

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

/**
 * One fact. `id` is `{chainId}/{height}/{index}`, `source` is `/chains/{chainId}`, `time` is the
 * block's time (RFC 3339, as the chain wrote it), `data` depends on `type`. Only an event that was too large
 * for the log has `omitted`, with the reason: what it names is shortened, empty or null.
 */
export const envelopeOf = <Name extends string, Properties extends TProperties>(
  type: Name,
  data: TObject<Properties>,
) =>
  Type.Object(
    {
      specversion: Type.Literal('1.0'),
      id: Type.String(),
      source: Type.String(),
      subject: Type.Optional(Type.String()),
      type: Type.Literal(type),
      time: Type.String(),
      datacontenttype: Type.Literal('application/json'),
      height: Height,
      index: Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 }),
      data: Type.Object({
        ...data.properties,
        omitted: Type.Optional(Type.Array(Omission)),
        omittedReason: Type.Optional(Reason),
      }),
    },
    { $id: type, title: type },
  )

/** An envelope whose `data` nobody has looked at yet. */
export const UnreadEnvelope = Type.Object({
  specversion: Type.Literal('1.0'),
  id: Type.String(),
  source: Type.String(),
  subject: Type.Optional(Type.String()),
  type: Type.String(),
  time: Type.String(),
  datacontenttype: Type.Literal('application/json'),
  height: Height,
  index: Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 }),
  data: Type.Unknown(),
})
export type UnreadEnvelope = Static<typeof UnreadEnvelope>

/** Order on the chain: `height · 2^32 + index`. Fits ClickHouse's UInt64. */
export const positionOf = ({ height, index }: { height: number; index: number }): bigint =>
  BigInt(height) * INDEX_SPAN + BigInt(index)

/** The height that a position lies in. */
export const heightOfPosition = (position: bigint): number => Number(position / INDEX_SPAN)

/** `index` of the `sub`-th event that hangs on `ordinal`. Throws where the height has no room. */
export const indexOf = (ordinal: number, sub: number): number => {
  if (ordinal < 0 || ordinal > ORDINAL.marker || sub < 0 || sub >= SUB_LIMIT) {
    throw new RangeError(`no event index for ordinal ${ordinal}, sub ${sub}`)
  }
  return ordinal * SUB_LIMIT + sub
}
