// The envelope of a list: page number, number of items, and links to other pages.

/** A page by number, or the page after a position. Each list defines the format of its positions. */
export type Start = { page: number } | { position: string }

/** `path` includes the base URL; `filters` exclude `page` and `cursor`. */
export type ListAddress = { path: string; filters: readonly (readonly [string, string])[] }

export type PageFrame = {
  address: ListAddress
  start: Start
  size: number
  totalItems: number
  /** Null on the last page. */
  nextCursor: string | null
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
export const createNumberedFrame = (frame: PageFrame) => {
  const { address, start, size, totalItems, nextCursor, cursor } = frame
  const number = 'page' in start ? start.page : null
  const totalPages = Math.ceil(totalItems / size)
  const last = Math.max(totalPages - 1, 0)
  const page = (target: number) => formatUrl(address, ['page', target])
  const nextByNumber = number !== null && number < last ? page(number + 1) : null
  return {
    page: { number, size, totalItems, totalPages, nextCursor },
    links: {
      self: cursor === undefined ? page(number ?? 0) : formatUrl(address, ['cursor', cursor]),
      next: number === null ? formatCursorUrl(address, nextCursor) : nextByNumber,
      prev: number === null || number === 0 ? null : page(Math.min(number - 1, last)),
      first: page(0),
      last: page(last),
    },
  }
}

/** For a list without page numbers. */
export const createCursorFrame = (frame: PageFrame) => {
  const { address, size, totalItems, nextCursor, cursor } = frame
  return {
    page: { size, totalItems },
    links: {
      self: cursor === undefined ? formatUrl(address) : formatUrl(address, ['cursor', cursor]),
      next: formatCursorUrl(address, nextCursor),
    },
  }
}
