// The query of a list: pages by number or by cursor, several pages per read, each with its envelope.
import {
  type Completion,
  createQueryKey,
  type Found,
  type Query,
  type Reads,
} from '../read/query.ts'
import type { Snapshot } from '../read/snapshot.ts'
import { shortenItem } from '../shortened.ts'
import { decodeCursor, encodeCursor, hashScope, notIssued } from './cursor.ts'
import { completePage, formatUrl, type Page } from './list-envelope.ts'
import { createStartPattern, formatStart, parseStart, type Start } from './list-start.ts'
import type { Arguments, Operation } from './operation.ts'
import type { ParameterName } from './parameters.ts'
import { formatPath } from './path-parameters.ts'

/** `limit` includes the requested page and the pages that are prefetched with it. */
export type Range = { start: Start; limit: number }

/** The result of one read of a list. */
export type Slice<Item> = {
  /** Items of the requested page and of the pages after it. */
  items: readonly Item[]
  /** The number of items in the whole list; null if they are not known at all. */
  total: number | null
  /** The start of the page after the first `count` items; null if no item follows. */
  getPositionAfter: (count: number) => string | null
  /** True for positions that clients can construct themselves. */
  isUncached?: boolean
  /** Further members of the envelope. */
  extra?: object
}

/** What a list says of its pages. */
export type ListSource<Path extends string, Name extends ParameterName, Item> = Pick<
  Operation<Path, Name>,
  'operationId' | 'path' | 'queryParameters'
> & {
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
  /** The path of the whole of an item that is shortened. Items without it are always whole. */
  getWholePath?: (item: Item, args: Arguments<Path, Name>) => string
  /** The JSON of an item that is stored as text. */
  line?(item: Item): string
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
    if (isNumbered && 'page' in at) at = { page: at.page + 1, skip: 0 }
    else at = next === null ? null : { position: next, skip: 0 }
  }
  return pages
}

/** URLs, cursors and cache names of pages. */
const createNames = <Path extends string, Name extends ParameterName, Item>(
  definition: ListSource<Path, Name, Item>,
) => {
  type Args = Arguments<Path, Name>
  const scope = (args: Args) => hashScope(...definition.scope(args))
  const pattern = createStartPattern(definition.positionPattern)
  const toAddress = (args: Args, baseUrl = '') => ({
    path: baseUrl + formatPath(definition.path, args),
    filters: toFilters(definition.queryParameters, args),
  })
  return {
    toAddress,
    cursorAt: (args: Args, position: string, generation: number): string =>
      encodeCursor({ generation, at: position, scope: scope(args) }),
    /** The start of the page, and the generation of the cursor. */
    readStart: (args: Args): { start: Start; generation?: number } => {
      const { page = 0, cursor } = args as Paged
      if (cursor === undefined) return { start: { page, skip: 0 } }
      const { at, generation } = decodeCursor(cursor, scope(args), pattern)
      return { start: parseStart(at), generation }
    },
    /** Unique per page. The name of a page by number is its URL. */
    createPageName: (args: Args, start: Start): string => {
      if ('position' in start || start.skip > 0) {
        return formatUrl(toAddress(args), ['after', formatStart(start)])
      }
      const isOnlyOne = definition.paging === 'cursor'
      return formatUrl(toAddress(args), isOnlyOne ? undefined : ['page', start.page])
    },
    /** The cache name for data of the whole list. */
    createListName: (args: Args): string => `${formatUrl(toAddress(args))} as a whole`,
  }
}

/** Reads a page, and the pages after it into the cache. */
const createPageReader = <Path extends string, Name extends ParameterName, Item>(
  definition: ListSource<Path, Name, Item>,
  { createPageName, createListName }: ReturnType<typeof createNames<Path, Name, Item>>,
) => {
  const { pageSize, pagesPerReading } = definition
  const isNumbered = definition.paging === 'numbered'
  const isBeyond = (start: Start, total: number | null): boolean =>
    'page' in start && start.page > 0 && start.page * pageSize >= (total ?? 0)

  return (args: Arguments<Path, Name>, start: Start) =>
    async (reads: Reads): Promise<Found<Page<Item>>> => {
      const version = definition.version(args)
      const toKey = (name: string) => createQueryKey({ name, version }, reads.snapshot)
      const whole = reads.cached<Whole>(toKey(createListName(args)))
      if (whole && isBeyond(start, whole.total)) {
        return { value: { ...whole, items: [], next: null }, isUncached: true }
      }
      const limit = pageSize * pagesPerReading
      const read = await definition.read(reads, args, { start, limit })
      const items = read.items.map((item) => {
        const path = definition.getWholePath?.(item, args)
        return path === undefined ? item : shortenItem(item, path)
      })
      const { total, extra } = read
      const isUncached = read.isUncached === true || isBeyond(start, total)
      const pages = splitPages({ ...read, items }, start, { size: pageSize, isNumbered })
      const [first, ...others] = pages
      if (!first) throw new Error(`${definition.operationId} returned no page`)
      const ahead = new Map<string, unknown>()
      if (isNumbered) ahead.set(toKey(createListName(args)), { total, extra })
      for (const { start: at, page } of others) ahead.set(toKey(createPageName(args, at)), page)
      return { value: first.page, isUncached, ahead }
    }
}

/** The rest of a page that ended early. A client can name any number of items, so it is not cached. */
const readRest =
  <Item>(aligned: Query<Page<Item>, unknown>, skip: number) =>
  async (reads: Reads): Promise<Found<Page<Item>>> => {
    const { value } = await reads.use(aligned)
    if (skip >= value.items.length) throw notIssued()
    return { value: { ...value, items: value.items.slice(skip) }, isUncached: true }
  }

/** `Body` is the envelope with these items. */
export const createListQuery = <
  Path extends string,
  Name extends ParameterName,
  Item,
  Body extends object,
>(
  source: ListSource<Path, Name, Item>,
) => {
  type Args = Arguments<Path, Name>
  const { paging, pageSize: size, getWholePath } = source
  const names = createNames(source)
  const { toAddress, cursorAt, readStart, createPageName } = names
  const readPage = createPageReader(source, names)
  const toJson = (item: Item): string => source.line?.(item) ?? JSON.stringify(item)

  const complete =
    (args: Args, start: Start) =>
    (page: Page<Item>, { asOf, baseUrl, generation, bounds }: Completion): Body =>
      completePage(page, {
        paging,
        size,
        start,
        address: toAddress(args, baseUrl),
        asOf,
        bounds,
        toCursor: (at) => cursorAt(args, at, generation),
        toJson,
        getWholePath: (item) => getWholePath?.(item, args),
      }) as Body

  const queryAt = (args: Args, start: Start, generation?: number): Query<Page<Item>, Body> => ({
    name: createPageName(args, start),
    proposalId: (args as Paged).proposalId ?? null,
    generation,
    version: source.version(args),
    read:
      start.skip === 0
        ? readPage(args, start)
        : readRest(queryAt(args, { ...start, skip: 0 }, generation), start.skip),
    complete: complete(args, start),
  })

  const query = (args: Args): Query<Page<Item>, Body> => {
    const { start, generation } = readStart(args)
    return queryAt(args, start, generation)
  }
  return { query, cursorAt }
}
