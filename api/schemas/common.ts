// Schemas that responses share. Types, validation and documentation are derived from schemas.
// A schema of an object, of constants or of alternatives has a `title`: the name of its component in OpenAPI.
import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { isDemoChain } from '../../ingest/contract/demo-chain.ts'

/** The title is the name of its component in OpenAPI. */
export function component<Properties extends TProperties>(
  title: string,
  properties: Properties,
  options: { description?: string; additionalProperties?: boolean } = {},
) {
  return Type.Object(properties, { title, ...options })
}

/** Later versions may have further members. */
export function openComponent<Properties extends TProperties>(
  title: string,
  properties: Properties,
  description?: string,
) {
  return component(title, properties, { additionalProperties: true, ...describe(description) })
}

const describe = (description: string | undefined) =>
  description === undefined ? {} : { description }

export function nullable<S extends TSchema>(schema: S, description?: string) {
  return Type.Union([schema, Type.Null()], describe(description))
}

export function text(description: string) {
  return Type.String({ description })
}

export function nullableText(description?: string) {
  return nullable(Type.String(), description)
}

export function flag(description: string) {
  return Type.Boolean({ description })
}

export function count(description?: string) {
  return Type.Integer({ minimum: 0, ...describe(description) })
}

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
export const Height = count('Height of a block of the chain')

export const AsOf = component(
  'AsOf',
  {
    chainId: Type.String(),
    height: Height,
    time: Timestamp,
    demo: Type.Optional(
      Type.Literal(true, { description: 'Only on the demo chain: its data is invented' }),
    ),
  },
  {
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

const Total = count()
const KnownTotal = nullable(
  Total,
  'Null if the items are not known at all: `historyReason` of the proposal has the reason',
)
const size = Type.Integer({ minimum: 1, description: 'Maximum number of items per page' })

const createPageInfo = <T extends TSchema>(title: string, totalItems: T) =>
  component(title, {
    number: nullable(
      count(),
      'Page number from 0; null for a page that was requested with `cursor`',
    ),
    size,
    totalItems,
    totalPages: count('0 for an empty list'),
    nextCursor: nullable(Type.String(), 'The `cursor` of the next page; null on the last page'),
  })
export const Href = Type.String({ format: 'uri-reference' })
const PageLinks = component('PageLinks', {
  self: Href,
  next: nullable(Href),
  prev: nullable(Href),
  first: Href,
  last: Href,
})
const CursorPageLinks = component('CursorPageLinks', { self: Href, next: nullable(Href) })

/** Only in an item that is shortened. */
export const truncation = {
  truncated: Type.Optional(
    Type.Literal(true, {
      description: 'Only if texts or lists are shortened. A shortened text ends in `…`',
    }),
  ),
  wholeAt: Type.Optional(text('URL of the whole data in that case')),
}

/** `numbered` and `cursor`: how the pages of a list are found. The items of a `past` list can be unknown. */
export const PAGING = {
  numbered: { page: createPageInfo('PageInfo', Total), links: PageLinks },
  pastNumbered: { page: createPageInfo('HistoryPageInfo', KnownTotal), links: PageLinks },
  cursor: {
    page: component('CursorPageInfo', { size, totalItems: Total }),
    links: CursorPageLinks,
  },
  pastCursor: {
    page: component('HistoryCursorPageInfo', { size, totalItems: KnownTotal }),
    links: CursorPageLinks,
  },
}

/** `extra`: further members. */
export function createEnvelope<
  Item extends TSchema,
  Page extends TSchema,
  Links extends TSchema,
  Extra extends TProperties = Record<never, never>,
>(
  title: string,
  item: Item,
  { page, links }: { page: Page; links: Links },
  extra: Extra = {} as Extra,
) {
  const members = { items: Type.Array(item), page, links, asOf: AsOf, ...extra }
  return openComponent(title, members)
}
