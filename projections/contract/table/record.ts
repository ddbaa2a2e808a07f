// Converts records between the names and values of the code and those of ClickHouse. `txHash` is stored as `tx_hash`, and an
// amount in atto as `…_atto`. The conversions are made once for each declaration. Pure.
import type { ColumnType, StoredOf, ValueOf } from './column-types.ts'

// biome-ignore lint/suspicious/noExplicitAny: a record has columns of any value.
export type Columns = Readonly<Record<string, ColumnType<any, any>>>

export type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : ''
type SuffixOf<Type> = Type extends ColumnType<infer _, infer __, infer Suffix> ? Suffix : never

export type RecordOf<C extends Columns> = { -readonly [Name in keyof C]: ValueOf<C[Name]> }
export type StoredRecordOf<C extends Columns> = {
  -readonly [Name in keyof C & string as `${SnakeCase<Name>}${SuffixOf<C[Name]>}`]: StoredOf<
    C[Name]
  >
}

export type StoredColumn = ColumnType & {
  /** In the code. */
  name: string
  /** In ClickHouse. */
  stored: string
}

export const toStoredName = (name: string, suffix = ''): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) + suffix

export const toStoredColumns = (columns: Columns): StoredColumn[] =>
  Object.entries(columns).map(([name, type]) => ({
    ...(type as ColumnType),
    name,
    stored: toStoredName(name, type.suffix),
  }))

type Values = Record<string, unknown>

type Member = { from: string; to: string; convert: ((value: never) => unknown) | undefined }

/**
 * Compiled once for each declaration, with the names of its columns. Every written and read value passes through it, and an object
 * literal is twice as fast as a loop.
 */
const compile = (members: readonly Member[]): ((record: object) => Values) => {
  const literal = members.map(({ from, to, convert }, order) =>
    convert ? `${to}: convert${order}(record.${from})` : `${to}: record.${from}`,
  )
  const names = members.map((_, order) => `convert${order}`)
  const create = new Function(...names, `return (record) => ({ ${literal.join(', ')} })`)
  return create(...members.map(({ convert }) => convert))
}

export const createEncoder = (columns: readonly StoredColumn[]) =>
  compile(columns.map(({ name, stored, encode }) => ({ from: name, to: stored, convert: encode })))

export const createDecoder = (columns: readonly StoredColumn[]) =>
  compile(columns.map(({ name, stored, decode }) => ({ from: stored, to: name, convert: decode })))

/** Compiled for the same reason: it runs for every written row. */
export const createCheck = (columns: readonly StoredColumn[]): ((record: object) => boolean) => {
  const conditions = columns.map(({ name }, order) => `fits${order}(record.${name})`)
  const names = columns.map((_, order) => `fits${order}`)
  const create = new Function(...names, `return (record) => ${conditions.join(' && ')}`)
  return create(...columns.map(({ fits }) => fits))
}

const isObject = (value: unknown): value is Values => typeof value === 'object' && value !== null

export const tuple = <const C extends Columns>(
  fields: C,
): ColumnType<RecordOf<C>, StoredRecordOf<C>, ''> => {
  const columns = toStoredColumns(fields)
  const isStoredAsItIs = columns.every(({ name, stored, encode }) => name === stored && !encode)
  const hasFitting = createCheck(columns)
  const codec = { encode: createEncoder(columns), decode: createDecoder(columns) }
  return {
    sql: `Tuple(${columns.map(({ stored, sql }) => `${stored} ${sql}`).join(', ')})`,
    suffix: '',
    description: '',
    fits: (value) => isObject(value) && hasFitting(value),
    ...(isStoredAsItIs ? {} : (codec as object)),
  }
}
