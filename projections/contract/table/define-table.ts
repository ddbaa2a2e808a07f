// Declares a table of the read model once: its names, keys and columns. Its statement, rows, their conversion, their checks and the
// columns of queries follow from it. Pure.
import {
  type Columns,
  createCheck,
  createDecoder,
  createEncoder,
  type RecordOf,
  type StoredColumn,
  type StoredRecordOf,
  toStoredColumns,
  toStoredName,
} from './record.ts'

/** Columns of a query, and how their rows are read. */
export type Selection<Row> = {
  /** Between `SELECT` and `FROM`. */
  sql: string
  decode(stored: object): Row
}

/** Values that are selected in place of those of columns, as SQL of the column. */
type Expressions<Name extends string> = Partial<Record<Name, (column: string) => string>>

/** The names of ClickHouse. */
export type StoredTable = { name: string; key: readonly string[] }

export type Table<C extends Columns = Columns, Copy extends string = string> = StoredTable & {
  comment: string
  /** Of rows with the same key, the one with the highest value in this column is the latest; undefined if all are equal. */
  version: string | undefined
  /** The same rows in another order; ClickHouse fills them. */
  copies: Readonly<Record<Copy, StoredTable>>
  columns: readonly StoredColumn[]
  granularity: number | undefined
  /** Of columns besides the key, each with its type. */
  indexes: ReadonlyMap<string, string>
  /** Whether each value fits its column. */
  fits(row: object): boolean
  encode(row: RecordOf<C>): StoredRecordOf<C>
  decode(stored: StoredRecordOf<C>): RecordOf<C>
  /** All columns. */
  all: Selection<RecordOf<C>>
  select<Name extends keyof C & string>(
    names: readonly Name[],
    expressions?: Expressions<Name>,
  ): Selection<Pick<RecordOf<C>, Name>>
  /** All columns but these. */
  except<Name extends keyof C & string>(
    names: readonly Name[],
    expressions?: Expressions<Exclude<keyof C & string, Name>>,
  ): Selection<Omit<RecordOf<C>, Name>>
}

export type SelectedRow<S> = S extends Selection<infer Row> ? Row : never
export type RowOf<T> = T extends Table<infer C, string> ? RecordOf<C> : never
export type StoredRowOf<T> = T extends Table<infer C, string> ? StoredRecordOf<C> : never

type Declaration<C extends Columns, Copy extends string> = {
  comment: string
  key: readonly (keyof C & string)[]
  version?: keyof C & string
  copies?: Readonly<Record<Copy, readonly (keyof C & string)[]>>
  /** Rows of one mark of the key; absent for the default of the store. */
  granularity?: number
  indexes?: Readonly<Partial<Record<keyof C & string, string>>>
  columns: C
}

const toSql = ({ name, stored }: StoredColumn, expressions: Expressions<string>): string => {
  const express = expressions[name]
  return express === undefined ? stored : `${express(stored)} AS ${stored}`
}

/** `name` is stored like those of columns: `poolVotes` as `pool_votes`. */
export const defineTable = <const C extends Columns, Copy extends string = never>(
  name: string,
  declaration: Declaration<C, Copy>,
): Table<C, Copy> => {
  const columns = toStoredColumns(declaration.columns)
  const toStoredKey = (key: readonly string[]): string[] => key.map((each) => toStoredName(each))
  const createSelection = <Row>(
    chosen: readonly StoredColumn[],
    expressions: Expressions<string> = {},
  ): Selection<Row> => ({
    sql: chosen.map((column) => toSql(column, expressions)).join(', '),
    decode: createDecoder(chosen) as (stored: object) => Row,
  })
  const copies = Object.entries<readonly string[]>(declaration.copies ?? {}).map(
    ([copy, key]) => [copy, { name: toStoredName(copy), key: toStoredKey(key) }] as const,
  )
  const all = createSelection<RecordOf<C>>(columns)
  const choose = (names: readonly string[], isChosen: boolean): StoredColumn[] =>
    columns.filter(({ name: each }) => names.includes(each) === isChosen)
  return {
    name: toStoredName(name),
    comment: declaration.comment,
    key: toStoredKey(declaration.key),
    version: declaration.version && toStoredName(declaration.version),
    copies: Object.fromEntries(copies) as unknown as Record<Copy, StoredTable>,
    columns,
    granularity: declaration.granularity,
    indexes: new Map(
      Object.entries<string>((declaration.indexes ?? {}) as Record<string, string>).map(
        ([column, type]) => [toStoredName(column), type],
      ),
    ),
    fits: createCheck(columns),
    encode: createEncoder(columns) as (row: RecordOf<C>) => StoredRecordOf<C>,
    decode: all.decode,
    all,
    select: (names, expressions) => createSelection(choose(names, true), expressions),
    except: (names, expressions) => createSelection(choose(names, false), expressions),
  }
}

const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`

const describeColumn = ({ stored, sql, description, codec }: StoredColumn): string =>
  `\`${stored}\` ${sql} COMMENT ${quoteText(description)}${codec ? ` CODEC(${codec})` : ''}`

/** One statement for the table, and two for each copy of it. The store fills in `{on_cluster}` and `{engine}`. */
export function createStatements(table: Table, database: string): string[] {
  const { name, key, comment, version, columns, granularity, indexes, copies } = table
  const engine = version === undefined ? '{engine}' : `{engine}(${version})`
  const settings = granularity ? `\nSETTINGS index_granularity = ${granularity}` : ''
  const parts = [
    ...columns.map(describeColumn),
    ...[...indexes].map(([column, type]) => `INDEX ${column} ${column} TYPE ${type}`),
  ]
  const toKey = (names: readonly string[]): string => {
    const quoted = names.map((column) => `\`${column}\``)
    return quoted.length === 1 ? String(quoted) : `(${quoted.join(', ')})`
  }
  const toTable = (its: StoredTable, source: string, text: string): string =>
    `CREATE TABLE IF NOT EXISTS ${database}.${its.name}{on_cluster} ${source}
ENGINE = ${engine}
ORDER BY ${toKey(its.key)}${settings}
COMMENT ${quoteText(text)}`
  return [
    toTable({ name, key }, `(\n    ${parts.join(',\n    ')}\n)`, comment),
    ...Object.values<StoredTable>(copies).flatMap((copy) => [
      toTable(copy, `AS ${database}.${name}`, `The rows of ${name} in another order`),
      `CREATE MATERIALIZED VIEW IF NOT EXISTS ${database}.${name}_to_${copy.name}{on_cluster} TO ${database}.${copy.name}
AS SELECT * FROM ${database}.${name}`,
    ]),
  ]
}
