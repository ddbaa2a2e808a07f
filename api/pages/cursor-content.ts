// The envelope of lists that are followed by cursor only: no page numbers, just where the next page begins.
import { type Content, type Json, type PageAddress, STAMP } from './page-content.ts'

export type CursorFrame = {
  /** Items on a page at most. */
  size: number
  totalItems: number
  /** The cursor that was followed; undefined for the first page. */
  cursor: string | undefined
  next: string | null
}

const addressOf = ({ path, filters }: PageAddress, cursor: string | undefined): string => {
  const query = new URLSearchParams(filters.map(([key, text]): [string, string] => [key, text]))
  if (cursor !== undefined) query.append('cursor', cursor)
  return query.size === 0 ? path : `${path}?${query}`
}

/** `items` stand with commas between them, `more` beside them. */
export const cursorContent = (
  items: Json,
  frame: CursorFrame,
  at: { address: PageAddress; more?: object },
): Content => {
  const { size, totalItems, cursor, next } = frame
  const links = {
    self: addressOf(at.address, cursor),
    next: next === null ? null : addressOf(at.address, next),
  }
  const fields = Object.entries({ ...at.more, page: { size, totalItems }, links })
  const rest = fields.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
  return ['{"items":[', items, `],${rest.join(',')},"asOf":`, STAMP, '}']
}
