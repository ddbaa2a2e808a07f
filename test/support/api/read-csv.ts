// Reads CSV with ClickHouse's own reader, and says which cells an item of a list must have, as an independent check.
import type { TSchema } from 'typebox'
import type { Store } from '../../../infra/base/clickhouse/client.ts'

export type Row = Record<string, string | null>

/** The rows of an independent reader; an empty cell without quotes is null. */
export const readCsv = async (store: Store, csv: string): Promise<Row[]> => {
  const [head = ''] = csv.split('\r\n', 1)
  const names = head.split(',').map((name) => JSON.parse(name) as string)
  const structure = names.map((name) => `${name} Nullable(String)`).join(', ')
  return await store.select<Row>(
    `SELECT * FROM format(CSVWithNames, '${structure}', '${csv.replace(/['\\]/g, '\\$&')}')`,
    {},
    { settings: { max_query_size: '100000000' } },
  )
}

/** Without the mark that prevents spreadsheets from executing it. */
export const unguarded = (cell: string | null | undefined) => cell?.replace(/^'/, '') ?? null

type Schema = {
  properties?: Record<string, Schema>
  additionalProperties?: boolean
  anyOf?: readonly Schema[]
  items?: Schema
}

/** A member of an item that fits into one cell. */
type Member = { path: readonly string[]; schema: Schema }

/** The members of an object with those of objects in it. An object with any members is one of them. */
const listMembers = (schema: Schema, path: readonly string[] = []): Member[] => {
  const { properties, additionalProperties, anyOf } = schema
  if (anyOf) return anyOf.flatMap((each) => listMembers(each, path))
  if (!properties || (additionalProperties && path.length > 0)) return [{ path, schema }]
  return Object.entries(properties).flatMap(([name, each]) => listMembers(each, [...path, name]))
}

/** `submittedAt` → `submitted`, `at`. Without the end of a plural. */
const splitWords = (name: string): string[] =>
  name.split(/(?=[A-Z])/).map((word) => word.toLowerCase().replace(/s$/, ''))

/** How many words of the path the column leaves out; infinite if it has others, or the same in another order. */
const countOmitted = (column: string, { path }: Member): number => {
  const words = path.flatMap(splitWords)
  let at = 0
  for (const word of splitWords(column)) {
    at = words.indexOf(word, at) + 1
    if (at === 0) return Number.POSITIVE_INFINITY
  }
  return words.length - splitWords(column).length
}

/** The member of each column, by its words: `tallyYes` is `tally.yes`. A column with more words chooses first. */
const findMembers = (columns: readonly string[], item: Schema): Map<string, Member> => {
  const free = new Set(listMembers(item))
  const found = new Map<string, Member>()
  const byWords = columns.toSorted(
    (one, other) => splitWords(other).length - splitWords(one).length,
  )
  for (const column of byWords) {
    const [best] = [...free]
      .filter((member) => Number.isFinite(countOmitted(column, member)))
      .sort((one, other) => countOmitted(column, one) - countOmitted(column, other))
    if (!best) continue
    free.delete(best)
    found.set(column, best)
  }
  return found
}

// biome-ignore lint/suspicious/noExplicitAny: entries of all lists
const toEntryFormat = ({ properties }: Schema): ((entry: any) => string) | undefined => {
  if (!properties) return String
  if ('option' in properties) return ({ option, weight }) => `${option}:${weight}`
  if ('denom' in properties) return ({ amount, denom }) => `${amount}${denom}`
  return undefined
}

const formatCell = (column: string, value: unknown, { items }: Schema): string | null => {
  if (value === undefined || value === null) return null
  const format = items && toEntryFormat(items)
  // Names of authors have spaces.
  if (Array.isArray(value) && format)
    return value.map(format).join(column === 'authors' ? '; ' : ' ')
  return typeof value === 'object' ? JSON.stringify(value) : `${value}`
}

type List = { answer: TSchema | null; columns: object | null }

/** The expected cell of a column for an item of JSON. */
export const createCellReader = ({ answer, columns }: List) => {
  const { properties } = answer as unknown as { properties: { items: { items: Schema } } }
  const members = findMembers(Object.keys(columns ?? {}), properties.items.items)
  return (column: string, item: unknown): string | null => {
    const member = members.get(column)
    if (!member) throw new Error(`no member of the items is the column ${column}`)
    // biome-ignore lint/suspicious/noExplicitAny: items of all lists
    const value = member.path.reduce((found: any, name) => found?.[name], item)
    return formatCell(column, value, member.schema)
  }
}
