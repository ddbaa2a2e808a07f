// Opaque page pointers: where the next page begins, in which generation and under which filters.
import { createHash } from 'node:crypto'
import type { ApiProblem } from '../problem.ts'
import { invalidParameters } from './parameters.ts'

/**
 * `at` is where the next page begins, in the list's own terms: numbers, or a number and what tells
 * equal ones apart, joined by `~`. `scope` ties it to one list.
 */
export type Cursor = { generation: number; at: string; scope: string }

const CURSOR = /^(0|[1-9][0-9]{0,8})\.([0-9a-z~]{1,220})\.([A-Za-z0-9_-]{8})$/

/** Short name of a list with its filters: a cursor of one is refused by another. */
export const hashScope = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 8)

export const encodeCursor = ({ generation, at, scope }: Cursor): string =>
  Buffer.from(`${generation}.${at}.${scope}`).toString('base64url')

/** A cursor that this list has not issued: each place has one cursor, and a list says which places begin a page. */
export const notIssued = (): ApiProblem => {
  const detail =
    'must be the page.nextCursor, or where there is none the cursor in links.next, of this very list with the same filters, unchanged'
  return invalidParameters([{ parameter: 'cursor', detail }])
}

/**
 * Throws `invalid-parameter` where the text is no cursor of this list. `position` is what `at` looks like there: with each
 * number written in one way only, so that a place has no second cursor and thereby no second cache key.
 */
export const decodeCursor = (text: string, scope: string, position: RegExp): Cursor => {
  const decoded = Buffer.from(text, 'base64url').toString('latin1')
  const match = CURSOR.exec(decoded)
  if (!match || match[3] !== scope || !position.test(match[2] as string)) throw notIssued()
  const cursor = { generation: Number(match[1]), at: match[2] as string, scope }
  // Base64 has several texts for the same bytes.
  if (encodeCursor(cursor) !== text) throw notIssued()
  return cursor
}
