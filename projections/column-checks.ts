// Checks one value against the type of its column, with checks compiled from the type's name. ClickHouse does not check enough:
// it stores 2^256 as 0 and 70000 in a UInt16 as 4464. Pure.
import { isTimestamp } from './fold/timestamps.ts'

export type ColumnCheck = {
  fits(value: unknown): boolean
  /** For an invalid value: the value to store instead; undefined if the row cannot be stored. */
  repair(value: unknown): { value: unknown } | undefined
}

type WellFormed = string & { isWellFormed(): boolean; toWellFormed(): string }

const unrepairable = (fits: (value: unknown) => boolean): ColumnCheck => ({
  fits,
  repair: () => undefined,
})

/** Integers that rows contain as decimal digits. */
const digits = (min: bigint, max: bigint): ColumnCheck => {
  const pattern = min < 0n ? /^-?[0-9]+$/ : /^[0-9]+$/
  const longest = max.toString().length
  return unrepairable((value) => {
    if (typeof value !== 'string' || !pattern.test(value)) return false
    if (value.length < longest) return true
    if (value.length > longest + 1) return false
    const integer = BigInt(value)
    return integer >= min && integer <= max
  })
}

const smallInteger = (max: number): ColumnCheck =>
  unrepairable((value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= max)

/** Half of a surrogate pair has no UTF-8 encoding; the replacement character is stored instead, as in any decoder. */
const TEXT: ColumnCheck = {
  fits: (value) => typeof value === 'string' && (value as WellFormed).isWellFormed(),
  repair: (value) =>
    typeof value === 'string' ? { value: (value as WellFormed).toWellFormed() } : undefined,
}

const SCALARS: ReadonlyMap<string, ColumnCheck> = new Map([
  ['UInt16', smallInteger(2 ** 16 - 1)],
  ['UInt32', smallInteger(2 ** 32 - 1)],
  ['UInt64', digits(0n, 2n ** 64n - 1n)],
  ['UInt256', digits(0n, 2n ** 256n - 1n)],
  ['Int256', digits(-(2n ** 255n), 2n ** 255n - 1n)],
  [
    'Decimal(76, 18)',
    unrepairable((value) => typeof value === 'string' && /^-?\d{1,58}(\.\d{1,18})?$/.test(value)),
  ],
  [
    "DateTime64(9, 'UTC')",
    unrepairable((value) => typeof value === 'string' && isTimestamp(value)),
  ],
  ['Bool', unrepairable((value) => typeof value === 'boolean')],
  ['String', TEXT],
])

const repaired = (check: ColumnCheck, value: unknown): { value: unknown } | undefined =>
  check.fits(value) ? { value } : check.repair(value)

const nullable = (inner: ColumnCheck): ColumnCheck => ({
  fits: (value) => value === null || inner.fits(value),
  repair: (value) => inner.repair(value) ?? { value: null },
})

const createArrayCheck = (inner: ColumnCheck): ColumnCheck => ({
  fits: (value) => Array.isArray(value) && value.every((item) => inner.fits(item)),
  repair: (value) => {
    if (!Array.isArray(value)) return undefined
    const items = value.map((item: unknown) => repaired(inner, item))
    return items.includes(undefined) ? undefined : { value: items.map((item) => item?.value) }
  },
})

const createTupleCheck = (fields: readonly (readonly [string, ColumnCheck])[]): ColumnCheck => {
  const getField = (value: unknown, name: string): unknown =>
    (value as Record<string, unknown>)[name]
  const isObject = (value: unknown) => typeof value === 'object' && value !== null
  return {
    fits: (value) =>
      isObject(value) && fields.every(([name, check]) => check.fits(getField(value, name))),
    repair: (value) => {
      if (!isObject(value)) return undefined
      const entries = fields.map(
        ([name, check]) => [name, repaired(check, getField(value, name))] as const,
      )
      if (entries.some(([, field]) => field === undefined)) return undefined
      return { value: Object.fromEntries(entries.map(([name, field]) => [name, field?.value])) }
    },
  }
}

/** Splits at commas outside of parentheses. */
const splitFields = (text: string): string[] => {
  const fields: string[] = []
  let depth = 0
  let start = 0
  for (const [at, character] of [...text].entries()) {
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    if (character !== ',' || depth > 0) continue
    fields.push(text.slice(start, at).trim())
    start = at + 1
  }
  return [...fields, text.slice(start).trim()]
}

const WRAPPED = /^(Nullable|Array|Tuple)\((.*)\)$/

export const compileColumn = (type: string): ColumnCheck => {
  const [, wrapper, inner = ''] = WRAPPED.exec(type) ?? []
  if (wrapper === 'Nullable') return nullable(compileColumn(inner))
  if (wrapper === 'Array') return createArrayCheck(compileColumn(inner))
  if (wrapper === 'Tuple') {
    return createTupleCheck(
      splitFields(inner).map((field) => {
        const space = field.indexOf(' ')
        return [field.slice(0, space), compileColumn(field.slice(space + 1))] as const
      }),
    )
  }
  const scalar = SCALARS.get(type)
  if (!scalar) throw new RangeError(`no check for columns of type ${type}`)
  return scalar
}
