// Schemas that responses share. Types, validation and documentation are derived from schemas.
// A schema of an object, of constants or of alternatives has a `title`: the name of its component in OpenAPI.
import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { isDemoChain } from '../../ingest/contract/demo-chain.ts'

export const nullable = <S extends TSchema>(schema: S, options: { description?: string } = {}) =>
  Type.Union([schema, Type.Null()], options)

/** One wording for all documents. */
export const NULL_MEANS =
  '`null` means that there is no value, or that the value is not known. It never means 0. Members such as `historyReason` and `matchesChainReason` have the reason.'

export const WholeAmount = Type.String({
  pattern: '^[0-9]+$',
  description: 'Whole base units of the chain',
  examples: ['500000000'],
})
export const ExactAmount = Type.String({
  pattern: '^-?[0-9]+(\\.[0-9]{1,18})?$',
  description: 'Exact base units of the chain: up to 18 decimal places, without trailing zeros',
  examples: ['1031582449.000000005999060225'],
})
export const Timestamp = Type.String({
  format: 'date-time',
  description: 'RFC 3339, UTC',
  examples: ['2026-11-21T08:00:00.000Z'],
})
export const Height = Type.Integer({ minimum: 0, description: 'Height of a block of the chain' })

export const AsOf = Type.Object(
  {
    chainId: Type.String(),
    height: Height,
    time: Timestamp,
    demo: Type.Optional(
      Type.Literal(true, { description: 'Only on the demo chain: its data is invented' }),
    ),
  },
  {
    title: 'AsOf',
    description:
      'The height for which the response is valid. Final data has the height that made it final: its response and ETag do not change after that',
  },
)
export type AsOf = Static<typeof AsOf>

export const createDemoMark = (chainId: string): Pick<AsOf, 'demo'> =>
  isDemoChain(chainId) ? { demo: true } : {}

export const createAsOf = (chainId: string, height: number, time: string): AsOf => ({
  chainId,
  height,
  time,
  ...createDemoMark(chainId),
})

const Total = Type.Integer({ minimum: 0 })
const KnownTotal = nullable(Total, {
  description:
    'Null if the items are not known at all: `historyReason` of the proposal has the reason',
})

const createPageInfo = <T extends TSchema>(title: string, totalItems: T) =>
  Type.Object(
    {
      number: nullable(Type.Integer({ minimum: 0 }), {
        description: 'Page number from 0; null for a page that was requested with `cursor`',
      }),
      size: Type.Integer({ minimum: 1, description: 'Maximum number of items per page' }),
      totalItems,
      totalPages: Type.Integer({ minimum: 0, description: '0 for an empty list' }),
      nextCursor: nullable(Type.String(), {
        description: 'The `cursor` of the next page; null on the last page',
      }),
    },
    { title },
  )
const PageInfo = createPageInfo('PageInfo', Total)
/** Of a list whose items can be unknown. */
const HistoryPageInfo = createPageInfo('HistoryPageInfo', KnownTotal)
export const Href = Type.String({ format: 'uri-reference' })
const PageLinks = Type.Object(
  { self: Href, next: nullable(Href), prev: nullable(Href), first: Href, last: Href },
  { title: 'PageLinks' },
)
const createCursorPageInfo = <T extends TSchema>(title: string, totalItems: T) =>
  Type.Object(
    {
      size: Type.Integer({ minimum: 1, description: 'Maximum number of items per page' }),
      totalItems,
    },
    { title },
  )
const CursorPageInfo = createCursorPageInfo('CursorPageInfo', Total)
const HistoryCursorPageInfo = createCursorPageInfo('HistoryCursorPageInfo', KnownTotal)
const CursorPageLinks = Type.Object(
  { self: Href, next: nullable(Href) },
  { title: 'CursorPageLinks' },
)
/** Only in an item that is shortened. */
export const truncation = {
  truncated: Type.Optional(
    Type.Literal(true, {
      description: 'Only if texts or lists are shortened. A shortened text ends in `…`',
    }),
  ),
  wholeAt: Type.Optional(Type.String({ description: 'URL of the whole data in that case' })),
}

const envelope = <
  Item extends TSchema,
  Page extends TSchema,
  Links extends TSchema,
  Extra extends TProperties,
>(
  title: string,
  { item, page, links, extra }: { item: Item; page: Page; links: Links; extra: Extra },
) =>
  Type.Object(
    { items: Type.Array(item), page, links, asOf: AsOf, ...extra },
    { title, additionalProperties: true },
  )

/** `extra`: further members. */
export const createEnvelope = <S extends TSchema, Extra extends TProperties = Record<never, never>>(
  title: string,
  item: S,
  extra: Extra = {} as Extra,
) => envelope(title, { item, page: PageInfo, links: PageLinks, extra })

/** The same for a list whose items can be unknown. */
export const createHistoryEnvelope = <
  S extends TSchema,
  Extra extends TProperties = Record<never, never>,
>(
  title: string,
  item: S,
  extra: Extra = {} as Extra,
) => envelope(title, { item, page: HistoryPageInfo, links: PageLinks, extra })

/** Lists without page numbers: `links.next` has the cursor. */
export const createCursorEnvelope = <
  S extends TSchema,
  Extra extends TProperties = Record<never, never>,
>(
  title: string,
  item: S,
  extra: Extra = {} as Extra,
) => envelope(title, { item, page: CursorPageInfo, links: CursorPageLinks, extra })

/** The same for a list whose items can be unknown. */
export const createHistoryCursorEnvelope = <S extends TSchema>(title: string, item: S) =>
  envelope(title, { item, page: HistoryCursorPageInfo, links: CursorPageLinks, extra: {} })
