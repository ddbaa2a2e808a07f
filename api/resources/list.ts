// The pager of all lists: it decodes the cursor, reads a page with those after it at once, and encodes the cursor of the next one.
import { createHash } from 'node:crypto'
import type { Static, TSchema } from 'typebox'
import type { ApiProblem } from '../read/problems.ts'
import {
  type Completion,
  createQueryKey,
  proposalVersion,
  type Query,
  type QueryResult,
  type Reads,
} from '../read/query.ts'
import type { Snapshot } from '../read/snapshot.ts'
import type { Columns } from '../schemas/columns.ts'
import type { AsOf } from '../schemas/common.ts'
import {
  type Fitted,
  fitItems,
  inBytes,
  inTokens,
  MAX_PAGE_BYTES,
  reduceBy,
  shortenItem,
} from '../words/shortened.ts'
import {
  type Arguments,
  createRequestParser,
  type Operation,
  type ReadDefinition,
  type RequestParser,
  type Resource,
  withReadProblems,
} from './operation.ts'
import { invalidParameters, NESTED_LIST_PARAMETERS, type ParameterName } from './parameters.ts'
import { formatPath } from './path-parameters.ts'
import { createListTool, type ListTool } from './reading.ts'

/** A position is the end of a page: each list defines its format, a number or several values joined by `~`. `scope` binds it to one list. */
export type Cursor = { generation: number; position: string; scope: string }

const CURSOR = /^(0|[1-9][0-9]{0,8})\.([0-9a-z~]{1,240})\.([A-Za-z0-9_-]{8})$/

/** A short hash of a list with its filters. A list refuses cursors with another scope. */
export function hashScope(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 8)
}

export function encodeCursor({ generation, position, scope }: Cursor): string {
  return Buffer.from(`${generation}.${position}.${scope}`).toString('base64url')
}

/** The problem for a cursor that this list has not issued. */
export function notIssued(): ApiProblem {
  const detail =
    'must be the unchanged page.nextCursor, or the cursor in links.next, of the same list with the same filters'
  return invalidParameters([{ parameter: 'cursor', detail }])
}

/**
 * Throws `invalid-parameter` for a text that is no cursor of this list. `pattern` is that of its positions. It allows one form
 * per number, because a second form would be a second cache key.
 */
export function decodeCursor(text: string, scope: string, pattern: RegExp): Cursor {
  const decoded = Buffer.from(text, 'base64url').toString('latin1')
  const [, generation, position = '', given] = CURSOR.exec(decoded) ?? []
  if (given !== scope || !pattern.test(position)) throw notIssued()
  const cursor = { generation: Number(generation), position, scope }
  // Several base64 texts decode to the same bytes.
  if (encodeCursor(cursor) !== text) throw notIssued()
  return cursor
}

/** A page by number, or the page after a position. */
export type Start = { page: number } | { position: string }

/** `limit` has the requested page, the pages that are read with it, and one more item, which shows whether another page follows. */
export type Range = { start: Start; limit: number }

/** The result of one read of a list. */
export type Slice<Item> = {
  /** From the start on, at most as many as the limit. */
  items: readonly Item[]
  /** The position after the item with this index. */
  positionAfter: (index: number) => string
  /** True if more items follow than were read, of a read that also has another limit. */
  hasMore?: boolean
  /** The number of items in the whole list; null if they are not known at all. */
  total: number | null
  /** True for positions that clients can construct themselves. */
  isUncached?: boolean
  /** Further members of the envelope. */
  extra?: object
}

type OffsetRange = { from: number; limit: number }

/** The position in a list whose items are never removed: the number of items before it. */
export const OFFSET = /^[1-9][0-9]{0,8}$/

/** Of a list whose items are never removed; throws `invalid-parameter` for a position at or after its end. */
export function toOffsetSlice<Item>(
  slice: Omit<Slice<Item>, 'positionAfter'>,
  { start, from, pageSize }: { start: Start; from: number; pageSize: number },
): Slice<Item> {
  const total = slice.total ?? 0
  if ('position' in start && from >= total) throw notIssued()
  return {
    ...slice,
    positionAfter: (index) => `${from + index + 1}`,
    hasMore: from + slice.items.length < total,
    isUncached: slice.isUncached === true || from % pageSize > 0,
  }
}

/** A client can name any offset, so only reads from the start of a page have further pages. */
export function toOffsetRange({ start, limit }: Range, pageSize: number): OffsetRange {
  const from = 'position' in start ? Number(start.position) : start.page * pageSize
  return { from, limit: from % pageSize === 0 ? limit - 1 : pageSize }
}

/** Reads a slice by offset. */
export function readByOffset<Args, Item>(
  pageSize: number,
  read: (
    reads: Reads,
    args: Args,
    range: OffsetRange,
  ) => Promise<Omit<Slice<Item>, 'positionAfter'>>,
) {
  return async (reads: Reads, args: Args, range: Range): Promise<Slice<Item>> => {
    const offsets = toOffsetRange(range, pageSize)
    const { from } = offsets
    const slice = await read(reads, args, offsets)
    return toOffsetSlice(slice, { start: range.start, from, pageSize })
  }
}

/** A page in the cache. Each item is serialised once, and has the position after it. */
type Page<Item> = Fitted<Item> & {
  positions: readonly string[]
  hasNext: boolean
  /** Null if the items are not known at all. */
  total: number | null
  extra: object | undefined
}

/** Data of the whole list, so that a page after the last one needs no read. */
type Whole = Pick<Page<never>, 'total' | 'extra'>

export type ListBody<Item> = {
  items: readonly Item[]
  page: { totalItems: number | null; nextCursor?: string | null }
  links: { self: string; next: string | null; prev?: string | null }
  asOf: AsOf
}

const LINES = new WeakMap<readonly unknown[], readonly string[]>()

/** Keeps the JSON of items that are serialised already. */
export function keepLines(items: readonly unknown[], lines: readonly string[]): void {
  LINES.set(items, lines)
}

/** The JSON of each item of a body. */
export function linesOf({ items }: Pick<ListBody<unknown>, 'items'>): readonly string[] {
  return LINES.get(items) ?? items.map((item) => JSON.stringify(item))
}

/** The body with this schema. The items of a list with `line` are texts, which the schema does not describe. */
type BodyOf<Answer extends TSchema, Item> =
  Static<Answer> extends ListBody<Item> ? Static<Answer> : ListBody<Item>

type ItemOf<Answer extends TSchema> = Static<Answer> extends ListBody<infer Item> ? Item : never

/** How the pages of a list are found and read. */
type Pages<Args, Item> = {
  /** `numbered` pages also have cursors. */
  paging: 'numbered' | 'cursor'
  pageSize: number
  /** 1 disables the prefetch of pages. */
  pagesPerReading: number
  /** Accepts one form per position. */
  positionPattern: RegExp
  /** By default it changes with every event of the proposal in the path. */
  version?: (args: Args) => (snapshot: Snapshot) => string
  read: (reads: Reads, args: Args, range: Range) => Promise<Slice<NoInfer<Item>>>
  /** The path of the whole of an item that is shortened. Items without it are always whole. */
  getWholePath?: (item: Item, args: Args) => string
  /** The JSON of an item that is stored as text. */
  line?(item: Item): string
}

type Definition<
  Path extends string,
  Name extends ParameterName,
  Answer extends TSchema,
  Item,
> = ReadDefinition<Path, Name, Answer> &
  Pages<Arguments<Path, Name>, Item> & {
    /** Null for items that do not fit into a flat row. */
    columns: Columns<Item> | null
    tool?: ListTool<NoInfer<Item>, BodyOf<Answer, NoInfer<Item>>>
  }

/** What the functions below need of a definition. */
type Source<Args, Item> = Pick<Operation, 'operationId' | 'path' | 'queryParameters'> &
  Pages<Args, Item>

type Paged = { page?: number; cursor?: string; proposalId?: string }

type Address = { path: string; filters: [string, string][] }

/** The path of the list, and its filters as query parameters. */
const toAddress = (
  { path, queryParameters }: Pick<Operation, 'path' | 'queryParameters'>,
  args: object,
  baseUrl = '',
): Address => {
  const values = args as Readonly<Record<string, unknown>>
  return {
    path: baseUrl + formatPath<string>(path, values as Record<string, string>),
    filters: queryParameters
      .filter((name) => name !== 'page' && name !== 'cursor' && values[name] !== undefined)
      .map((name) => [name, `${values[name]}`]),
  }
}

const formatUrl = ({ path, filters }: Address, ...parameter: [string, string][]): string => {
  const query = new URLSearchParams([...filters, ...parameter])
  return query.size === 0 ? path : `${path}?${query}`
}

/** Of the list with its filters. */
const scopeOf = (source: Pick<Operation, 'path' | 'queryParameters'>, args: object): string =>
  hashScope(formatUrl(toAddress(source, args)))

const versionOf = <Args extends object>(
  { version }: Pick<Source<Args, never>, 'version'>,
  args: Args,
) => version?.(args) ?? proposalVersion((args as Paged).proposalId ?? '')

/** Unique per page. The name of a page by number is its URL. */
const namePage = <Args extends object, Item>(
  source: Source<Args, Item>,
  args: Args,
  start: Start,
): string => {
  const address = toAddress(source, args)
  if ('position' in start) return formatUrl(address, ['after', start.position])
  return source.paging === 'cursor'
    ? formatUrl(address)
    : formatUrl(address, ['page', `${start.page}`])
}

/** Splits a slice into pages with their starts. */
const splitPages = <Args, Item>(
  { pageSize, paging, getWholePath, line }: Source<Args, Item>,
  { items, positionAfter, hasMore, total, extra }: Slice<Item>,
  { start, limit, args }: Range & { args: Args },
): { start: Start; page: Page<Item> }[] => {
  const most = limit - 1
  const follows = hasMore ?? items.length > most
  const listed = items.slice(0, most).map((item): { item: Item; line: string } => {
    const path = getWholePath?.(item, args)
    if (path !== undefined) return shortenItem(item, path)
    return { item, line: line?.(item) ?? JSON.stringify(item) }
  })
  const positions = listed.map((_, index) => positionAfter(index))
  const pages: { start: Start; page: Page<Item> }[] = []
  let at = start
  for (let from = 0; from === 0 || from < listed.length; from += pageSize) {
    const to = Math.min(from + pageSize, listed.length)
    const part = listed.slice(from, to)
    const page = {
      items: part.map(({ item }) => item),
      lines: part.map((each) => each.line),
      positions: positions.slice(from, to),
      hasNext: to < listed.length || follows,
      total,
      extra,
    }
    pages.push({ start: at, page })
    at =
      paging === 'numbered' && 'page' in at
        ? { page: at.page + 1 }
        : { position: positions[to - 1] ?? '' }
  }
  return pages
}

/** Reads a page, and the pages after it into the cache. */
const readPage =
  <Args extends object, Item>(source: Source<Args, Item>, args: Args, start: Start) =>
  async (reads: Reads): Promise<QueryResult<Page<Item>>> => {
    const { pageSize, pagesPerReading, operationId } = source
    const version = versionOf(source, args)
    const toKey = (name: string) => createQueryKey({ name, version }, reads.snapshot)
    const listKey = toKey(`${formatUrl(toAddress(source, args))} as a whole`)
    const isBeyond = (total: number | null): boolean =>
      'page' in start && start.page > 0 && start.page * pageSize >= (total ?? 0)
    const whole = reads.cached<Whole>(listKey)
    if (whole && isBeyond(whole.total)) {
      const value = { ...whole, items: [], lines: [], positions: [], hasNext: false }
      return { value, isUncached: true }
    }
    const range = { start, limit: pageSize * pagesPerReading + 1 }
    const slice = await source.read(reads, args, range)
    const [first, ...others] = splitPages(source, slice, { ...range, args })
    if (!first) throw new Error(`${operationId} returned no page`)
    const { total, extra } = slice
    const ahead = new Map<string, unknown>()
    if (source.paging === 'numbered') ahead.set(listKey, { total, extra })
    for (const { start: at, page } of others) ahead.set(toKey(namePage(source, args, at)), page)
    const isUncached = slice.isUncached === true || isBeyond(total)
    return { value: first.page, isUncached, ahead }
  }

/** The body of a page. A page whose items do not fit ends early, and its cursor continues it. */
const completePage = <Args extends object, Item>(
  source: Source<Args, Item>,
  { args, start, page }: { args: Args; start: Start; page: Page<Item> },
  { asOf, baseUrl, bounds, generation }: Completion,
): object => {
  const { paging, pageSize: size, getWholePath } = source
  const address = toAddress(source, args, baseUrl)
  const toCursor = (position: string) =>
    encodeCursor({ generation, position, scope: scopeOf(source, args) })
  const atCursor = (cursor: string | null) =>
    cursor === null ? null : formatUrl(address, ['cursor', cursor])
  const createBody = (items: readonly Item[]) => {
    const isCut = items.length < page.items.length
    const end = page.positions[Math.max(items.length - 1, 0)]
    const nextCursor = (isCut || page.hasNext) && end !== undefined ? toCursor(end) : null
    const own = 'position' in start ? atCursor(toCursor(start.position)) : null
    const { total: totalItems, extra } = page
    if (paging === 'cursor') {
      const links = { self: own ?? formatUrl(address), next: atCursor(nextCursor) }
      return { items, ...extra, page: { size, totalItems }, links, asOf }
    }
    // A page that was requested by cursor has no number.
    const number = 'page' in start ? start.page : null
    const totalPages = Math.ceil((totalItems ?? 0) / size)
    const last = Math.max(totalPages - 1, 0)
    const at = (target: number) => formatUrl(address, ['page', `${target}`])
    const nextByNumber = number !== null && number < last ? at(number + 1) : null
    const links = {
      self: own ?? at(number ?? 0),
      next: number === null || isCut ? atCursor(nextCursor) : nextByNumber,
      prev: number === null || number === 0 ? null : at(Math.min(number - 1, last)),
      first: at(0),
      last: at(last),
    }
    return {
      items,
      page: { number, size, totalItems, totalPages, nextCursor },
      links,
      ...extra,
      asOf,
    }
  }
  const limit = bounds === undefined ? inBytes(MAX_PAGE_BYTES) : inTokens(bounds.maxTokens)
  const most = bounds?.maxItems ?? page.items.length
  const fitted = fitItems(
    { items: page.items.slice(0, most), lines: page.lines.slice(0, most) },
    {
      limit: reduceBy(limit, createBody([])),
      excess: bounds
        ? 'shortens texts'
        : paging === 'numbered'
          ? 'shortens items'
          : 'ends the page',
      getWholePath: (item) => getWholePath?.(item, args),
    },
  )
  keepLines(fitted.items, fitted.lines)
  return createBody(fitted.items)
}

export type ListResource<
  Path extends string,
  Name extends ParameterName,
  Item,
  Body extends ListBody<Item> = ListBody<Item>,
> = Resource<Path, Name, Body> & {
  columns: Columns<Item> | null
  pageSize: number
  /** As `parseRequest`, but with the format that the query names. */
  parseFormattedRequest: RequestParser<Body>['parseRequest']
  /** The cursor of a position in this list. */
  cursorAt: (args: Arguments<Path, Name>, position: string, generation: number) => string
}

export function defineList<
  Path extends string,
  Name extends ParameterName,
  Answer extends TSchema,
  Item = ItemOf<Answer>,
>(
  definition: Definition<Path, Name, Answer, Item>,
): ListResource<Path, Name, Item, BodyOf<Answer, Item>> {
  type Body = BodyOf<Answer, Item>
  type Args = Arguments<Path, Name>
  const { columns, tool, guide, path, problems = [], positionPattern } = definition
  const source: Source<Args, Item> = definition
  const parameters = {
    ...definition.parameters,
    ...(columns === null ? NESTED_LIST_PARAMETERS : {}),
  }
  const query = (args: Args): Query<Page<Item>, Body> => {
    const { page = 0, cursor: text, proposalId = null } = args as Paged
    const cursor =
      text === undefined ? undefined : decodeCursor(text, scopeOf(source, args), positionPattern)
    const start = cursor ? { position: cursor.position } : { page }
    return {
      name: namePage(source, args, start),
      proposalId,
      generation: cursor?.generation,
      version: versionOf(source, args),
      read: readPage(source, args, start),
      complete: (value, completion) =>
        completePage(source, { args, start, page: value }, completion) as Body,
    }
  }
  return {
    ...definition,
    parameters,
    parseRequest: createRequestParser(definition, query),
    parseFormattedRequest: createRequestParser({ ...definition, parameters }, query, ['format']),
    problems: withReadProblems(path, [...problems, 'cursor-expired']),
    kind: 'list',
    tool: tool && createListTool<Item, Body>(tool, guide),
    query,
    cursorAt: (args, position, generation) =>
      encodeCursor({ generation, position, scope: scopeOf(source, args) }),
  }
}
