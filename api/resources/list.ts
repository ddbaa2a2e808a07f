// A list of the read API: its pages by number or by cursor, read some at a time, each with its envelope.
import {
  type Completion,
  type Found,
  keyOf,
  type Query,
  type Reads,
  type Verdict,
} from '../read/query.ts'
import type { Snapshot } from '../read/snapshot.ts'
import type { Columns } from '../schemas/columns.ts'
import type { AsOf } from '../schemas/common.ts'
import { decodeCursor, encodeCursor, scopeOf } from './cursor.ts'
import { cursorFrame, numberedFrame, type Start, urlOf } from './list-envelope.ts'
import { type Arguments, asks, type Operation, pathOf, type Resource } from './operation.ts'
import type { ParameterName } from './parameters.ts'
import type { PathParameterName } from './path-parameters.ts'

/** `limit`: the items of the page asked for and of those read ahead with it. */
export type Range = { start: Start; limit: number }

/** What one reading of a list gave. */
export type Slice<Item> = {
  /** Of the page asked for and of the pages after it. */
  items: readonly Item[]
  /** Of the whole list. */
  total: number
  /** Where the page after the first `count` items begins; null where none follows. */
  placeAfter: (count: number) => string | null
  verdict: Verdict
  /** True for places that clients can invent. */
  isUncached?: boolean
  /** What the envelope says of the whole list. */
  aside?: object
}

export type ListBody<Item> = {
  items: readonly Item[]
  page: { totalItems: number; nextCursor?: string | null }
  links: { self: string; next: string | null; prev?: string | null }
  asOf: AsOf
}

type Definition<Path extends PathParameterName, Name extends ParameterName, Item> = Omit<
  Operation<Path, Name>,
  'kind'
> & {
  /** `numbered`: by number and by cursor; else by cursor only. */
  paging: 'numbered' | 'cursor'
  pageSize: number
  /** 1 where a reading gives one page only. */
  pagesPerReading: number
  /** What a place looks like, each in one spelling: a second one would be a second cache key. */
  place: RegExp
  /** Names the list and its filters: a cursor of one is refused by every other. */
  scope: (args: Arguments<Path, Name>) => readonly string[]
  version: (args: Arguments<Path, Name>) => (snapshot: Snapshot) => string
  read: (reads: Reads, args: Arguments<Path, Name>, range: Range) => Promise<Slice<Item>>
  /** Null where an item is no flat row. */
  columns: Columns<Item> | null
  /** The JSON of an item that is stored as text. */
  line?(item: Item): string
  /** The lists whose first pages a walk asks for before and after this one's. */
  neighbours?: (args: Arguments<Path, Name>, snapshot: Snapshot) => Arguments<Path, Name>[]
}

export type ListResource<
  Path extends PathParameterName,
  Name extends ParameterName,
  Item,
  Body extends ListBody<Item> = ListBody<Item>,
> = Resource<Path, Name, Body> & {
  columns: Columns<Item> | null
  line?(item: Item): string
  /** The cursor of a place in this list. */
  cursorAt: (args: Arguments<Path, Name>, place: string, generation: number) => string
}

/** A page as it is cached. `next` is a place. */
type Page<Item> = {
  items: readonly Item[]
  total: number
  next: string | null
  aside: object | undefined
}
/** What is true of every page of a list, so that a page past the end needs no reading. */
type Whole = Pick<Page<never>, 'total' | 'aside'>

type Paged = { page?: number; cursor?: string; proposalId?: string }

/** The filters as addresses have them. */
export const filtersOf = (
  names: readonly ParameterName[],
  args: Readonly<Record<string, unknown>>,
): [string, string][] =>
  names
    .filter((name) => name !== 'page' && name !== 'cursor' && args[name] !== undefined)
    .map((name) => [name, `${args[name]}`])

/** The slice cut into pages, each with where it starts. */
const pagesOf = <Item>(
  { items, total, placeAfter, aside }: Slice<Item>,
  start: Start,
  { size, isNumbered }: { size: number; isNumbered: boolean },
): { start: Start; page: Page<Item> }[] => {
  const pages: { start: Start; page: Page<Item> }[] = []
  let at: Start | null = start
  for (let from = 0; at !== null && (from === 0 || from < items.length); from += size) {
    const to = Math.min(from + size, items.length)
    const next = placeAfter(to)
    pages.push({ start: at, page: { items: items.slice(from, to), total, next, aside } })
    if (isNumbered && 'page' in at) at = { page: at.page + 1 }
    else at = next === null ? null : { place: next }
  }
  return pages
}

/** How the pages of a list are named: by their addresses, and by cursors. */
const createNames = <Path extends PathParameterName, Name extends ParameterName, Item>(
  definition: Definition<Path, Name, Item>,
) => {
  type Args = Arguments<Path, Name>
  const scope = (args: Args) => scopeOf(...definition.scope(args))
  const addressOf = (args: Args, baseUrl = '') => ({
    path: baseUrl + pathOf(definition, args),
    filters: filtersOf(definition.queryParameters, args),
  })
  return {
    addressOf,
    cursorAt: (args: Args, place: string, generation: number): string =>
      encodeCursor({ generation, at: place, scope: scope(args) }),
    /** Where the page begins, and in which generation where a cursor says so. */
    startOf: (args: Args): { start: Start; generation?: number } => {
      const { page = 0, cursor } = args as Paged
      if (cursor === undefined) return { start: { page } }
      const { at, generation } = decodeCursor(cursor, scope(args), definition.place)
      return { start: { place: at }, generation }
    },
    /** Two pages have two names; that of a page by number is its address. */
    nameOf: (args: Args, start: Start): string => {
      if ('place' in start) return urlOf(addressOf(args), ['after', start.place])
      const isOnlyOne = definition.paging === 'cursor'
      return urlOf(addressOf(args), isOnlyOne ? undefined : ['page', start.page])
    },
    /** Of what is said of the whole list. */
    nameOfWhole: (args: Args): string => `${urlOf(addressOf(args))} as a whole`,
  }
}

export const defineList = <
  Item,
  Body extends ListBody<Item>,
  Path extends PathParameterName,
  Name extends ParameterName,
>(
  definition: Definition<Path, Name, Item>,
): ListResource<Path, Name, Item, Body> => {
  type Args = Arguments<Path, Name>
  const { paging, pageSize, pagesPerReading, columns, neighbours } = definition
  const { addressOf, cursorAt, startOf, nameOf, nameOfWhole } = createNames(definition)

  const isBeyond = (start: Start, total: number): boolean =>
    'page' in start && start.page > 0 && start.page * pageSize >= total

  const complete =
    (args: Args, start: Start) =>
    (page: Page<Item>, { asOf, baseUrl, generation }: Completion): Body => {
      const cursorOf = (place: string) => cursorAt(args, place, generation)
      const frame = {
        address: addressOf(args, baseUrl),
        ...{ start, size: pageSize, totalItems: page.total },
        nextCursor: page.next === null ? null : cursorOf(page.next),
        cursor: 'place' in start ? cursorOf(start.place) : undefined,
      }
      const { items, aside } = page
      const body =
        paging === 'numbered'
          ? { items, ...numberedFrame(frame), ...aside, asOf }
          : { items, ...aside, ...cursorFrame(frame), asOf }
      return body as unknown as Body
    }

  const readPage =
    (args: Args, start: Start) =>
    async (reads: Reads): Promise<Found<Page<Item>>> => {
      const version = definition.version(args)
      const keyAt = (name: string) => keyOf({ name, version }, reads.snapshot)
      const whole = reads.cached<Whole>(keyAt(nameOfWhole(args)))
      if (whole && isBeyond(start, whole.total)) {
        return { value: { ...whole, items: [], next: null }, verdict: 'settled', isUncached: true }
      }
      const limit = pageSize * pagesPerReading
      const slice = await definition.read(reads, args, { start, limit })
      const { total, aside, verdict } = slice
      const isUncached = slice.isUncached === true || isBeyond(start, total)
      const isNumbered = paging === 'numbered'
      const [first, ...others] = pagesOf(slice, start, { size: pageSize, isNumbered })
      if (!first) throw new Error(`${definition.operationId} gave no page`)
      const ahead = new Map<string, unknown>()
      if (isNumbered) ahead.set(keyAt(nameOfWhole(args)), { total, aside })
      for (const { start: at, page } of others) ahead.set(keyAt(nameOf(args, at)), page)
      return { value: first.page, verdict, isUncached, ahead }
    }

  const query = (args: Args): Query<Page<Item>, Body> => {
    const { start, generation } = startOf(args)
    return {
      name: nameOf(args, start),
      proposalId: (args as Paged).proposalId ?? null,
      ...{ generation, version: definition.version(args) },
      read: readPage(args, start),
      complete: complete(args, start),
      ...('page' in start && start.page === 0 && neighbours
        ? { neighbours: (snapshot) => neighbours(args, snapshot).map(query) }
        : {}),
    }
  }
  return {
    ...definition,
    ...asks(definition, query),
    ...{ kind: 'list', columns, query, cursorAt },
  }
}
