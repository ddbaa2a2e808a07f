// Defines a list resource: pages by number or by cursor, several pages per read, each with its envelope.
import type { Static, TSchema } from 'typebox'
import {
  type Completion,
  createQueryKey,
  type Found,
  type Query,
  type Reads,
} from '../read/query.ts'
import type { Snapshot } from '../read/snapshot.ts'
import type { Columns } from '../schemas/columns.ts'
import type { AsOf } from '../schemas/common.ts'
import { decodeCursor, encodeCursor, hashScope } from './cursor.ts'
import { createCursorFrame, createNumberedFrame, formatUrl, type Start } from './list-envelope.ts'
import {
  type Arguments,
  createRequestParser,
  type ReadDefinition,
  type Resource,
  withReadProblems,
} from './operation.ts'
import type { ParameterName } from './parameters.ts'
import { formatPath } from './path-parameters.ts'

/** `limit` includes the requested page and the pages that are prefetched with it. */
export type Range = { start: Start; limit: number }

/** The result of one read of a list. */
export type Slice<Item> = {
  /** Items of the requested page and of the pages after it. */
  items: readonly Item[]
  /** The number of items in the whole list. */
  total: number
  /** The start of the page after the first `count` items; null if no item follows. */
  getPositionAfter: (count: number) => string | null
  /** True for positions that clients can construct themselves. */
  isUncached?: boolean
  /** Further members of the envelope. */
  extra?: object
}

export type ListBody<Item> = {
  items: readonly Item[]
  page: { totalItems: number; nextCursor?: string | null }
  links: { self: string; next: string | null; prev?: string | null }
  asOf: AsOf
}

/** The body with this schema. The items of a list with `line` are texts, which the schema does not describe. */
type BodyOf<Answer extends TSchema, Item> =
  Static<Answer> extends ListBody<Item> ? Static<Answer> : ListBody<Item>

type ItemOf<Answer extends TSchema> = Static<Answer> extends ListBody<infer Item> ? Item : never

type Definition<
  Path extends string,
  Name extends ParameterName,
  Answer extends TSchema,
  Item,
> = ReadDefinition<Path, Name, Answer> & {
  /** `numbered` pages also have cursors. */
  paging: 'numbered' | 'cursor'
  pageSize: number
  /** 1 disables the prefetch of pages. */
  pagesPerReading: number
  /** Accepts one form per position, because a second form would be a second cache key. */
  positionPattern: RegExp
  /** Identifies the list and its filters. A list refuses cursors with another scope. */
  scope: (args: Arguments<Path, Name>) => readonly string[]
  version: (args: Arguments<Path, Name>) => (snapshot: Snapshot) => string
  read: (reads: Reads, args: Arguments<Path, Name>, range: Range) => Promise<Slice<NoInfer<Item>>>
  /** Null for items that do not fit into a flat row. */
  columns: Columns<Item> | null
  /** The JSON of an item that is stored as text. */
  line?(item: Item): string
  /** The previous and the next list, which clients often read in sequence. */
  getAdjacent?: (args: Arguments<Path, Name>, snapshot: Snapshot) => Arguments<Path, Name>[]
}

export type ListResource<
  Path extends string,
  Name extends ParameterName,
  Item,
  Body extends ListBody<Item> = ListBody<Item>,
> = Resource<Path, Name, Body> & {
  columns: Columns<Item> | null
  line?(item: Item): string
  /** The cursor of a position in this list. */
  cursorAt: (args: Arguments<Path, Name>, position: string, generation: number) => string
}

/** A page in the cache. `next` is a position. */
type Page<Item> = {
  items: readonly Item[]
  total: number
  next: string | null
  extra: object | undefined
}
/** Data of the whole list, so that a page after the last one needs no read. */
type Whole = Pick<Page<never>, 'total' | 'extra'>

type Paged = { page?: number; cursor?: string; proposalId?: string }

/** The filters as query parameters. */
export const toFilters = (
  names: readonly ParameterName[],
  args: Readonly<Record<string, unknown>>,
): [string, string][] =>
  names
    .filter((name) => name !== 'page' && name !== 'cursor' && args[name] !== undefined)
    .map((name) => [name, `${args[name]}`])

/** Splits a slice into pages with their starts. */
const splitPages = <Item>(
  { items, total, getPositionAfter, extra }: Slice<Item>,
  start: Start,
  { size, isNumbered }: { size: number; isNumbered: boolean },
): { start: Start; page: Page<Item> }[] => {
  const pages: { start: Start; page: Page<Item> }[] = []
  let at: Start | null = start
  for (let from = 0; at !== null && (from === 0 || from < items.length); from += size) {
    const to = Math.min(from + size, items.length)
    const next = getPositionAfter(to)
    pages.push({ start: at, page: { items: items.slice(from, to), total, next, extra } })
    if (isNumbered && 'page' in at) at = { page: at.page + 1 }
    else at = next === null ? null : { position: next }
  }
  return pages
}

/** URLs, cursors and cache names of pages. */
const createNames = <Path extends string, Name extends ParameterName>(
  definition: Pick<
    Definition<Path, Name, TSchema, never>,
    'path' | 'queryParameters' | 'scope' | 'positionPattern' | 'paging'
  >,
) => {
  type Args = Arguments<Path, Name>
  const scope = (args: Args) => hashScope(...definition.scope(args))
  const toAddress = (args: Args, baseUrl = '') => ({
    path: baseUrl + formatPath(definition.path, args),
    filters: toFilters(definition.queryParameters, args),
  })
  return {
    toAddress,
    cursorAt: (args: Args, position: string, generation: number): string =>
      encodeCursor({ generation, at: position, scope: scope(args) }),
    /** The start of the page, and the generation of the cursor. */
    parseStart: (args: Args): { start: Start; generation?: number } => {
      const { page = 0, cursor } = args as Paged
      if (cursor === undefined) return { start: { page } }
      const { at, generation } = decodeCursor(cursor, scope(args), definition.positionPattern)
      return { start: { position: at }, generation }
    },
    /** Unique per page. The name of a page by number is its URL. */
    createPageName: (args: Args, start: Start): string => {
      if ('position' in start) return formatUrl(toAddress(args), ['after', start.position])
      const isOnlyOne = definition.paging === 'cursor'
      return formatUrl(toAddress(args), isOnlyOne ? undefined : ['page', start.page])
    },
    /** The cache name for data of the whole list. */
    createListName: (args: Args): string => `${formatUrl(toAddress(args))} as a whole`,
  }
}

export const defineList = <
  Path extends string,
  Name extends ParameterName,
  Answer extends TSchema,
  Item = ItemOf<Answer>,
>(
  definition: Definition<Path, Name, Answer, Item>,
): ListResource<Path, Name, Item, BodyOf<Answer, Item>> => {
  type Args = Arguments<Path, Name>
  type Body = BodyOf<Answer, Item>
  const { paging, pageSize, pagesPerReading, columns, getAdjacent } = definition
  const { toAddress, cursorAt, parseStart, createPageName, createListName } =
    createNames(definition)

  const isBeyond = (start: Start, total: number): boolean =>
    'page' in start && start.page > 0 && start.page * pageSize >= total

  const complete =
    (args: Args, start: Start) =>
    (page: Page<Item>, { asOf, baseUrl, generation }: Completion): Body => {
      const toCursor = (position: string) => cursorAt(args, position, generation)
      const frame = {
        address: toAddress(args, baseUrl),
        start,
        size: pageSize,
        totalItems: page.total,
        nextCursor: page.next === null ? null : toCursor(page.next),
        cursor: 'position' in start ? toCursor(start.position) : undefined,
      }
      const { items, extra } = page
      const body =
        paging === 'numbered'
          ? { items, ...createNumberedFrame(frame), ...extra, asOf }
          : { items, ...extra, ...createCursorFrame(frame), asOf }
      return body as unknown as Body
    }

  const readPage =
    (args: Args, start: Start) =>
    async (reads: Reads): Promise<Found<Page<Item>>> => {
      const version = definition.version(args)
      const toKey = (name: string) => createQueryKey({ name, version }, reads.snapshot)
      const whole = reads.cached<Whole>(toKey(createListName(args)))
      if (whole && isBeyond(start, whole.total)) {
        return { value: { ...whole, items: [], next: null }, isUncached: true }
      }
      const limit = pageSize * pagesPerReading
      const slice = await definition.read(reads, args, { start, limit })
      const { total, extra } = slice
      const isUncached = slice.isUncached === true || isBeyond(start, total)
      const isNumbered = paging === 'numbered'
      const [first, ...others] = splitPages(slice, start, { size: pageSize, isNumbered })
      if (!first) throw new Error(`${definition.operationId} returned no page`)
      const ahead = new Map<string, unknown>()
      if (isNumbered) ahead.set(toKey(createListName(args)), { total, extra })
      for (const { start: at, page } of others) ahead.set(toKey(createPageName(args, at)), page)
      return { value: first.page, isUncached, ahead }
    }

  const query = (args: Args): Query<Page<Item>, Body> => {
    const { start, generation } = parseStart(args)
    return {
      name: createPageName(args, start),
      proposalId: (args as Paged).proposalId ?? null,
      generation,
      version: definition.version(args),
      read: readPage(args, start),
      complete: complete(args, start),
      ...('page' in start && start.page === 0 && getAdjacent
        ? { getAdjacent: (snapshot) => getAdjacent(args, snapshot).map(query) }
        : {}),
    }
  }
  return {
    ...definition,
    ...createRequestParser(definition, query),
    problems: withReadProblems(definition.path, [...(definition.problems ?? []), 'cursor-expired']),
    kind: 'list',
    columns,
    query,
    cursorAt,
  }
}
