// The shapes that every answer is built from. A schema is the one source of types, checks and documentation.
import { type Static, type TSchema, Type } from 'typebox'

export const nullable = <S extends TSchema>(schema: S, options: { description?: string } = {}) =>
  Type.Union([schema, Type.Null()], options)

/** Told wherever answers are described: one wording for all of them. */
export const NULL_MEANS =
  '`null` means that there is none (yet) or that nobody can know it, never 0 in place of the unknown; for why a thing is not known see `historyReason` and `matchesChainReason`'

export const WholeAmount = Type.String({
  pattern: '^[0-9]+$',
  description: 'Whole base units of the chain',
  examples: ['500000000'],
})
export const ExactAmount = Type.String({
  pattern: '^-?[0-9]+(\\.[0-9]{1,18})?$',
  description: 'Base units of the chain, exact, up to 18 places, trailing zeros dropped',
  examples: ['1031582449.000000005999060225'],
})
export const Coin = Type.Object({ denom: Type.String(), amount: WholeAmount })
export type Coin = Static<typeof Coin>
export const Timestamp = Type.String({
  format: 'date-time',
  description: 'RFC 3339, UTC',
  examples: ['2026-11-21T08:00:00.000Z'],
})
export const Height = Type.Integer({ minimum: 0, description: 'Height of a block of the chain' })

export const AsOf = Type.Object(
  { chainId: Type.String(), height: Height, time: Timestamp },
  {
    description:
      'The height up to which the answer is known to hold. Facts that are final have the height that made them final: such an answer and its ETag never change again',
  },
)
export type AsOf = Static<typeof AsOf>

export const PageInfo = Type.Object({
  number: nullable(Type.Integer({ minimum: 0 }), {
    description: 'From 0; null where a cursor was followed: such a page has no number',
  }),
  size: Type.Integer({ minimum: 1, description: 'Items on a page at most' }),
  totalItems: Type.Integer({ minimum: 0 }),
  totalPages: Type.Integer({ minimum: 0, description: '0 for an empty list' }),
  nextCursor: nullable(Type.String(), {
    description: 'What to send as `cursor` for the next page; null on the last one',
  }),
})
export const Link = Type.String({ format: 'uri-reference' })
export const PageLinks = Type.Object({
  self: Link,
  next: nullable(Link),
  prev: nullable(Link),
  first: Link,
  last: Link,
})
export const createEnvelope = <S extends TSchema>(item: S) =>
  Type.Object(
    { items: Type.Array(item), page: PageInfo, links: PageLinks, asOf: AsOf },
    { additionalProperties: true },
  )

/** Lists that are followed by cursor only: `links.next` is the way on. */
export const createCursorEnvelope = <S extends TSchema>(item: S) =>
  Type.Object(
    {
      items: Type.Array(item),
      page: Type.Object({
        size: Type.Integer({ minimum: 1, description: 'Items on a page at most' }),
        totalItems: Type.Integer({ minimum: 0 }),
      }),
      links: Type.Object({ self: Link, next: nullable(Link) }),
      asOf: AsOf,
    },
    { additionalProperties: true },
  )
