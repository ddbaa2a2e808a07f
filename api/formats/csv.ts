// Formats rows as CSV (RFC 4180): a header line, CRLF, UTF-8. All cells are quoted except null, which is an empty cell.
import { stringify } from 'csv-stringify/sync'
import type { Cell } from '../schemas/columns.ts'

/** Texts that a spreadsheet treats as a formula, and texts that begin with the prefix itself, so that the prefix is reversible. */
const FORMULA = /^[=+\-@\t\r\n'＝＋－＠]/
const NUMBER = /^-?[0-9]+(?:\.[0-9]+)?$/

/** Prefixes formulas with `'`. Plain numbers stay unchanged. */
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
