// Formats a page of a list as NDJSON, CSV or JSON. In NDJSON and CSV, headers replace the envelope.
import type { ListBody } from '../resources/list.ts'
import type { Columns } from '../schemas/columns.ts'
import { formatCsv } from './csv.ts'
import { CSV_TYPE, FACT_FIELDS, JSON_TYPE, NDJSON_TYPE } from './media-types.ts'

export type Rendered = {
  text: string
  /** Headers of the text as an array: name, value, name, value. */
  fields: readonly string[]
}

/** How the items of a list become rows. */
export type RowFormat<Item> = {
  columns: Columns<Item> | null
  /** The JSON of an item that is stored as text. */
  line?(item: Item): string
}

/** The media types of a list besides JSON. */
export const getRowTypes = <Item>({ columns }: RowFormat<Item>) =>
  columns === null ? ([NDJSON_TYPE] as const) : ([NDJSON_TYPE, CSV_TYPE] as const)

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
    [links.self, `rel="alternate"; type="${JSON_TYPE}"`],
  ] as const
  const link = relations
    .filter(([url]) => url !== null)
    .map(([url, parameters]) => `<${url}>; ${parameters}`)
  return [...named, 'link', link.join(', ')]
}

/** Line ends in JSON are only between tokens, so a space can replace them. */
const toOneLine = (json: string): string => json.replace(/[\r\n]+/g, ' ')

export const formatNdjson = <Item>(list: RowFormat<Item>, body: ListBody<Item>): Rendered => {
  const line = (item: Item) => list.line?.(item) ?? JSON.stringify(item)
  const text = body.items.map((item) => `${toOneLine(line(item))}\n`).join('')
  return { text, fields: createHeaderFields(body) }
}

export const formatCsvRows = <Item>(
  { columns }: RowFormat<Item>,
  body: ListBody<Item>,
): Rendered => {
  const cells = Object.values(columns ?? {})
  const rows = body.items.map((item) => cells.map((cell) => cell(item)))
  return { text: formatCsv(Object.keys(columns ?? {}), rows), fields: createHeaderFields(body) }
}

/** The whole page as JSON. Items that are stored as JSON text are inserted unchanged. */
export const formatJson = <Item>(list: RowFormat<Item>, body: ListBody<Item>): string => {
  if (!list.line) return JSON.stringify(body)
  const { items, ...rest } = body
  const texts = items.map((item) => list.line?.(item))
  return `{"items":[${texts.join(',')}],${JSON.stringify(rest).slice(1)}`
}
