// The types of columns: how a value is stored, and which values fit. ClickHouse does not check enough: it stores 2^256 as 0 and
// 70000 in a UInt16 as 4464. Pure.
import { isTimestamp, type Timestamp } from '../timestamps.ts'

/** `Stored` is what is inserted and selected: integers of 64 bits and more and decimals are strings. */
export type ColumnType<Value = unknown, Stored = unknown, Suffix extends string = string> = {
  /** The type in ClickHouse. */
  readonly sql: string
  /** The comment of the column. */
  readonly description: string
  /** Of the name of the column: its unit. */
  readonly suffix: Suffix
  fits(value: unknown): boolean
  /** Of long texts; absent for the default of the store. */
  readonly codec?: string
  /** Absent if a value is stored as it is. */
  encode?(value: Value): Stored
  decode?(stored: Stored): Value
}

export type ValueOf<Type> = Type extends ColumnType<infer Value, infer _, infer __> ? Value : never
export type StoredOf<Type> =
  Type extends ColumnType<infer _, infer Stored, infer __> ? Stored : never

/** UInt64, UInt256, Int256 or Decimal(76, 18) in decimal digits. */
export type Digits = string

const MAX_UINT64 = 2n ** 64n - 1n
const DIGITS = /^[0-9]{1,20}$/

type Codec<Value, Stored> = Pick<ColumnType<Value, Stored>, 'fits' | 'encode' | 'decode' | 'codec'>

const column =
  <Value, Stored = Value>(sql: string, codec: Codec<Value, Stored>) =>
  (description = ''): ColumnType<Value, Stored, ''> => ({ sql, suffix: '', description, ...codec })

/** The id of a proposal. */
export const id = column<Digits>('UInt64', {
  fits: (value) =>
    typeof value === 'string' &&
    DIGITS.test(value) &&
    (value.length < 20 || BigInt(value) <= MAX_UINT64),
})

/** A height, or another integer that a double has exactly. */
export const safeInteger = column<number, Digits>('UInt64', {
  fits: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  encode: String,
  decode: Number,
})

const fitsBetween = (min: bigint, max: bigint) => ({
  fits: (value: unknown) => typeof value === 'bigint' && value >= min && value <= max,
})

// Nearly all rows of a commit have the positions of a few events.
let latest = { position: 0n, digits: '0' }
const formatPosition = (position: bigint): Digits => {
  if (position !== latest.position) latest = { position, digits: String(position) }
  return latest.digits
}

/** A position on the chain or in a log. */
export const uint64 = column<bigint, Digits>('UInt64', {
  ...fitsBetween(0n, MAX_UINT64),
  encode: formatPosition,
  decode: BigInt,
})

/** Whole base units of the chain. */
export const amount = column<bigint, Digits>('UInt256', {
  ...fitsBetween(0n, 2n ** 256n - 1n),
  encode: String,
  decode: BigInt,
})

const int256 = column<bigint, Digits>('Int256', {
  ...fitsBetween(-(2n ** 255n), 2n ** 255n - 1n),
  encode: String,
  decode: BigInt,
})

/** 1e-18 of a base unit of the chain. */
export const atto = (description = ''): ColumnType<bigint, Digits, '_atto'> => ({
  ...int256(description),
  suffix: '_atto',
})

export const decimal = column<Digits>('Decimal(76, 18)', {
  fits: (value) => typeof value === 'string' && /^-?\d{1,58}(\.\d{1,18})?$/.test(value),
})

const smallInteger = (bits: 16 | 32) =>
  column<number>(`UInt${bits}`, {
    fits: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** bits,
  })

export const uint16 = smallInteger(16)
export const uint32 = smallInteger(32)

const timestamp = (precision: 3 | 9) =>
  column<Timestamp>(`DateTime64(${precision}, 'UTC')`, {
    fits: (value) => typeof value === 'string' && isTimestamp(value),
  })

/** Time of a block. */
export const time = timestamp(9)
/** Time of a clock. */
export const clockTime = timestamp(3)

export const bool = column<boolean>('Bool', { fits: (value) => typeof value === 'boolean' })

const isText = (value: unknown): boolean => typeof value === 'string'

export const text = column<string>('String', { fits: isText })

/** A text of any length: JSON, or bytes in base64. */
export const longText = column<string>('String', { fits: isText, codec: 'ZSTD(3)' })

/** One of few texts. */
export const label = <Label extends string = string>(
  description: string,
): ColumnType<NoInfer<Label>, NoInfer<Label>, ''> =>
  column<Label>('LowCardinality(String)', { fits: isText })(description)

const LOW_CARDINALITY = /^LowCardinality\((.*)\)$/

export const nullable = <Value, Stored, Suffix extends string>(
  inner: ColumnType<Value, Stored, Suffix>,
): ColumnType<Value | null, Stored | null, Suffix> => {
  const { sql, fits, encode, decode } = inner
  const [, label] = LOW_CARDINALITY.exec(sql) ?? []
  return {
    ...inner,
    sql: label === undefined ? `Nullable(${sql})` : `LowCardinality(Nullable(${label}))`,
    fits: (value) => value === null || fits(value),
    ...(encode && { encode: (value: Value | null) => (value === null ? null : encode(value)) }),
    ...(decode && { decode: (stored: Stored | null) => (stored === null ? null : decode(stored)) }),
  }
}

export const list = <Value, Stored>(
  inner: ColumnType<Value, Stored, ''>,
  description: string,
): ColumnType<readonly Value[], readonly Stored[], ''> => {
  const { sql, fits, encode, decode } = inner
  return {
    sql: `Array(${sql})`,
    suffix: '',
    description,
    fits: (value) => Array.isArray(value) && value.every(fits),
    ...(encode && { encode: (values) => values.map(encode) }),
    ...(decode && { decode: (stored) => stored.map(decode) }),
  }
}
