// Rows as CSV (RFC 4180): a header line, CRLF, UTF-8, every cell quoted but those that are null, which are empty.
import { stringify } from 'csv-stringify/sync'
import type { Cell } from '../schemas/columns.ts'

/** What a spreadsheet would take for a formula, and the mark itself, so that taking it off again is always right. */
const FORMULA = /^[=+\-@\t\r\n'＝＋－＠]/
const NUMBER = /^-?[0-9]+(?:\.[0-9]+)?$/

/** A leading `'` is never part of the text. Plain numbers are themselves. */
const toCellText = (cell: Cell): string | null => {
  if (cell === null || cell === undefined) return null
  const text = `${cell}`
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
}

export const formatCsv = (head: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  stringify([head, ...rows.map((row) => row.map(toCellText))], {
    record_delimiter: 'windows',
    quoted_string: true,
  })
