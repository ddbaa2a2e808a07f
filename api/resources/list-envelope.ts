// The envelope of a list: page number, number of items, and links to other pages.

import type { AnswerBounds } from '../read/query.ts'
import type { AsOf } from '../schemas/common.ts'
import { type FittedItems, fitItems, MAX_PAGE_BYTES } from '../shortened.ts'
import { inBytes, inTokens, reduceBy } from '../size.ts'
import { formatStart, type Start } from './list-start.ts'

/** A page in the cache. `next` is a position. */
export type Page<Item> = {
  items: readonly Item[]
  /** Null if the items are not known at all. */
  total: number | null
  next: string | null
  extra: object | undefined
}

/** `path` includes the base URL; `filters` exclude `page` and `cursor`. */
type ListAddress = { path: string; filters: readonly (readonly [string, string])[] }

type PageFrame = {
  address: ListAddress
  start: Start
  size: number
  totalItems: number | null
  /** Null on the last page. */
  nextCursor: string | null
  /** True if the page ends early, because its items are large. Only the cursor continues it. */
  isCut: boolean
  /** The cursor of the request, if any. */
  cursor: string | undefined
}

export const formatUrl = (
  { path, filters }: ListAddress,
  parameter?: readonly [name: string, value: string | number],
): string => {
  const query = new URLSearchParams(filters.map(([name, value]): [string, string] => [name, value]))
  if (parameter) query.append(parameter[0], `${parameter[1]}`)
  return query.size === 0 ? path : `${path}?${query}`
}

const formatCursorUrl = (address: ListAddress, cursor: string | null): string | null =>
  cursor === null ? null : formatUrl(address, ['cursor', cursor])

/** For a list with page numbers. A page that was requested by cursor has no number. */
const createNumberedFrame = (frame: PageFrame) => {
  const { address, start, size, totalItems, nextCursor, isCut, cursor } = frame
  const number = 'page' in start && start.skip === 0 ? start.page : null
  const totalPages = Math.ceil((totalItems ?? 0) / size)
  const last = Math.max(totalPages - 1, 0)
  const page = (target: number) => formatUrl(address, ['page', target])
  const nextByNumber = number !== null && number < last ? page(number + 1) : null
  return {
    page: { number, size, totalItems, totalPages, nextCursor },
    links: {
      self: cursor === undefined ? page(number ?? 0) : formatUrl(address, ['cursor', cursor]),
      next: number === null || isCut ? formatCursorUrl(address, nextCursor) : nextByNumber,
      prev: number === null || number === 0 ? null : page(Math.min(number - 1, last)),
      first: page(0),
      last: page(last),
    },
  }
}

/** For a list without page numbers. */
const createCursorFrame = (frame: PageFrame) => {
  const { address, size, totalItems, nextCursor, cursor } = frame
  return {
    page: { size, totalItems },
    links: {
      self: cursor === undefined ? formatUrl(address) : formatUrl(address, ['cursor', cursor]),
      next: formatCursorUrl(address, nextCursor),
    },
  }
}

type Completed<Item> = Pick<PageFrame, 'address' | 'start' | 'size'> &
  Pick<FittedItems<Item>, 'toJson' | 'getWholePath'> & {
    paging: 'numbered' | 'cursor'
    asOf: AsOf
    bounds: AnswerBounds | undefined
    /** The cursor of a start. */
    toCursor: (at: string) => string
  }

/** The body of a page. A page whose items do not fit ends early, and its cursor continues it. */
export const completePage = <Item>(page: Page<Item>, completed: Completed<Item>): object => {
  const { paging, size, start, address, asOf, bounds, toCursor } = completed
  const isFirst = 'page' in start && start.skip === 0
  const createBody = (items: readonly Item[]) => {
    const isCut = items.length < page.items.length
    const next = isCut ? formatStart({ ...start, skip: start.skip + items.length }) : page.next
    const nextCursor = next === null ? null : toCursor(next)
    const cursor = isFirst ? undefined : toCursor(formatStart(start))
    const frame = { address, start, size, totalItems: page.total, nextCursor, isCut, cursor }
    return paging === 'numbered'
      ? { items, ...createNumberedFrame(frame), ...page.extra, asOf }
      : { items, ...page.extra, ...createCursorFrame(frame), asOf }
  }
  const limit = bounds === undefined ? inBytes(MAX_PAGE_BYTES) : inTokens(bounds.maxTokens)
  const items = fitItems(page.items.slice(0, bounds?.maxItems), {
    ...completed,
    limit: reduceBy(limit, createBody([])),
    excess: bounds ? 'shortens texts' : paging === 'numbered' ? 'shortens items' : 'ends the page',
  })
  return createBody(items)
}
