// The shapes that every answer is built from. A schema is the one source of types, checks and documentation.
import { type Static, type TSchema, Type } from 'typebox'

export const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

/** Base units, whole. */
export const WholeAmount = Type.String({ pattern: '^[0-9]+$', examples: ['500000000'] })
/** Base units, exact, up to 18 places, trailing zeros dropped. */
export const ExactAmount = Type.String({ pattern: '^-?[0-9]+(\\.[0-9]{1,18})?$' })
export const Timestamp = Type.String({
  format: 'date-time',
  examples: ['2026-11-21T08:00:00.000Z'],
})
export const Height = Type.Integer({ minimum: 0 })

/** The state of the chain that an answer shows. */
export const AsOf = Type.Object({ chainId: Type.String(), height: Height, time: Timestamp })
export type AsOf = Static<typeof AsOf>

/** `number` is null where a cursor was followed: such a page has no number. */
const PageInfo = Type.Object({
  number: nullable(Type.Integer({ minimum: 0 })),
  size: Type.Integer({ minimum: 1 }),
  totalItems: Type.Integer({ minimum: 0 }),
  totalPages: Type.Integer({ minimum: 0 }),
  nextCursor: nullable(Type.String()),
})
const Link = Type.String()
const PageLinks = Type.Object({
  self: Link,
  next: nullable(Link),
  prev: nullable(Link),
  first: Link,
  last: Link,
})
export const envelopeOf = <S extends TSchema>(item: S) =>
  Type.Object(
    { items: Type.Array(item), page: PageInfo, links: PageLinks, asOf: AsOf },
    { additionalProperties: true },
  )

/** Lists that are followed by cursor only: `links.next` is the way on. */
export const cursorEnvelopeOf = <S extends TSchema>(item: S) =>
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
