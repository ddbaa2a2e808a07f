// What stands around the items of a list: which page it is, how many items there are, and where other pages are.

/** A page by number, or what follows a place in the list's own terms. */
export type Start = { page: number } | { position: string }

/** `path` with its base; `filters` without `page` and `cursor`. */
export type ListAddress = { path: string; filters: readonly (readonly [string, string])[] }

export type PageFrame = {
  address: ListAddress
  start: Start
  size: number
  totalItems: number
  /** The cursor of the next page; null where there is none. */
  nextCursor: string | null
  /** The cursor that was followed; undefined where none was. */
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

/** Of a list whose pages have numbers; a page that was reached by a cursor has none. */
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

/** Of a list that is followed by cursor only: no page numbers, just where the next page begins. */
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
