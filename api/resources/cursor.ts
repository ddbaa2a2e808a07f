// Opaque cursors with the start of the next page, its generation and a hash of its filters.
import { createHash } from 'node:crypto'
import type { ApiProblem } from '../problem.ts'
import { invalidParameters } from './parameters.ts'

/**
 * `at` is the start of the next page. Each list defines its format: a number, or several values joined by `~`, and `+` with
 * the number of items to skip.
 * `scope` binds the cursor to one list.
 */
export type Cursor = { generation: number; at: string; scope: string }

const CURSOR = /^(0|[1-9][0-9]{0,8})\.([0-9a-z~+]{1,240})\.([A-Za-z0-9_-]{8})$/

/** A short hash of a list with its filters. A list refuses cursors with another scope. */
export const hashScope = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 8)

export const encodeCursor = ({ generation, at, scope }: Cursor): string =>
  Buffer.from(`${generation}.${at}.${scope}`).toString('base64url')

/** The problem for a cursor that this list has not issued. */
export const notIssued = (): ApiProblem => {
  const detail =
    'must be the unchanged page.nextCursor, or the cursor in links.next, of the same list with the same filters'
  return invalidParameters([{ parameter: 'cursor', detail }])
}

/**
 * Throws `invalid-parameter` for a text that is no cursor of this list. `position` is the pattern of `at`. It allows one
 * form per number, because a second form would be a second cache key.
 */
export const decodeCursor = (text: string, scope: string, position: RegExp): Cursor => {
  const decoded = Buffer.from(text, 'base64url').toString('latin1')
  const match = CURSOR.exec(decoded)
  if (!match || match[3] !== scope || !position.test(match[2] as string)) throw notIssued()
  const cursor = { generation: Number(match[1]), at: match[2] as string, scope }
  // Several base64 texts decode to the same bytes.
  if (encodeCursor(cursor) !== text) throw notIssued()
  return cursor
}
