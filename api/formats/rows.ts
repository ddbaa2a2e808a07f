// Formats a page of a list as NDJSON, CSV (RFC 4180) or JSON. In NDJSON and CSV, headers replace the envelope.
import { stringify } from 'csv-stringify/sync'
import { type ListBody, linesOf } from '../resources/list.ts'
import type { Cell, Columns } from '../schemas/columns.ts'

export const JSON_MEDIA_TYPE = 'application/json; charset=utf-8'

/** The header for each member of the envelope. Null and absent members have no header. */
export const FACT_FIELDS = {
  chainId: 'rollcall-chain-id',
  height: 'rollcall-as-of-height',
  time: 'rollcall-as-of-time',
  demo: 'rollcall-demo',
  totalItems: 'rollcall-total-items',
  nextCursor: 'rollcall-next-cursor',
} as const

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

export type Rendered = {
  text: string
  /** Headers of the text as an array: name, value, name, value. */
  fields: readonly string[]
}

/** A chain ID can contain characters that a header does not allow. */
const toFieldValue = (value: string | number | boolean): string =>
  `${value}`.replace(/[^!-~]/g, '_')

const createHeaderFields = ({ page, links, asOf }: ListBody<unknown>): string[] => {
  const facts = {
    demo: null,
    ...asOf,
    totalItems: page.totalItems,
    nextCursor: page.nextCursor ?? null,
  }
  const named = Object.entries(FACT_FIELDS).flatMap(([fact, field]) => {
    const value = facts[fact as keyof typeof facts]
    return value === null ? [] : [field, toFieldValue(value)]
  })
  const relations = [
    [links.next, 'rel="next"'],
    [links.prev ?? null, 'rel="prev"'],
    [links.self, `rel="alternate"; type="application/json"`],
  ] as const
  const link = relations
    .filter(([url]) => url !== null)
    .map(([url, parameters]) => `<${url}>; ${parameters}`)
  return [...named, 'link', link.join(', ')]
}

/** Line ends in JSON are only between tokens, so a space can replace them. */
const toOneLine = (json: string): string => json.replace(/[\r\n]+/g, ' ')

export function formatNdjson(body: ListBody<unknown>): Rendered {
  const text = linesOf(body)
    .map((line) => `${toOneLine(line)}\n`)
    .join('')
  return { text, fields: createHeaderFields(body) }
}

/** All cells are quoted except null, which is an empty cell. */
const formatRows = <Item>(body: ListBody<Item>, columns: Columns<Item>): Rendered => {
  const cells = Object.values(columns)
  const rows = body.items.map((item) => cells.map((cell) => cell(item)))
  return { text: formatCsv(Object.keys(columns), rows), fields: createHeaderFields(body) }
}

/** The whole page as JSON, from the lines of its items: those that are stored as text stay unchanged. */
export function formatJson(body: ListBody<unknown>): Rendered {
  const { items: _, ...rest } = body
  const text = `{"items":[${linesOf(body).join(',')}],${JSON.stringify(rest).slice(1)}`
  return { text, fields: [] }
}

/** `type` is accepted, and `mediaType` is sent. */
export const FORMATS = {
  json: { type: 'application/json', mediaType: JSON_MEDIA_TYPE, write: formatJson },
  ndjson: {
    type: 'application/x-ndjson',
    mediaType: 'application/x-ndjson',
    write: formatNdjson,
  },
  csv: {
    type: 'text/csv',
    mediaType: 'text/csv; charset=utf-8; header=present',
    write: formatRows,
  },
} as const
