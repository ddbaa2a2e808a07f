// Converts one scalar from the wire format to the JSON of the REST API: 64-bit integers as text, `Dec` as decimals, bytes as
// base64. Bytes that are too long for a page, such as contract code, become a digest, and are kept separately.
import { hash } from 'node:crypto'
import { type DescEnum, type DescField, ScalarType } from '@bufbuild/protobuf'
import { isNestedWithin } from '../contract/json.ts'
import { type GogoOptions, getGogoOptions } from './field-values.ts'
import { decodeText } from './text.ts'

/** Longer bytes are not part of the JSON of a message. */
export const MAX_INLINE_BYTES = 4 * 2 ** 10

/** `path` is a JSON pointer into the message. */
export type LongBytes = { path: string; bytes: Uint8Array; sha256: string }

export const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')

/** Base64, or `{ sha256, size }` with the bytes added to `kept`. */
export const bytesJson = (
  bytes: Uint8Array,
  { path, kept }: { path: string; kept: LongBytes[] },
): string | { sha256: string; size: number } => {
  if (bytes.length <= MAX_INLINE_BYTES) return base64(bytes)
  const sha256 = hash('sha256', bytes, 'hex')
  kept.push({ path, bytes, sha256 })
  return { sha256, size: bytes.length }
}

/** Appends one member to a JSON pointer. */
export const pointer = (path: string, member: string | number): string =>
  `${path}/${`${member}`.replaceAll('~', '~0').replaceAll('/', '~1')}`

type Value = bigint | Uint8Array

const toBits = (value: Value): bigint => (typeof value === 'bigint' ? value : 0n)
const toBytes = (value: Value): Uint8Array => (typeof value === 'bigint' ? new Uint8Array() : value)
export const toText = (value: Value): string => decodeText(toBytes(value))

const zigzag = (bits: bigint): bigint => (bits >> 1n) ^ -(bits & 1n)

/** JSON cannot represent these numbers. */
const floatJson = (value: number): number | string => (Number.isFinite(value) ? value : `${value}`)

const toFloat = (bits: bigint, width: 32 | 64): number => {
  const view = new DataView(new ArrayBuffer(8))
  view.setBigUint64(0, bits)
  return width === 32 ? view.getFloat32(4) : view.getFloat64(0)
}

/** A number, a text or a boolean; without strings and bytes. */
const numberJson = (type: ScalarType, bits: bigint): unknown => {
  switch (type) {
    case ScalarType.BOOL:
      return bits !== 0n
    case ScalarType.INT32:
    case ScalarType.SFIXED32:
      return Number(BigInt.asIntN(32, bits))
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return Number(BigInt.asUintN(32, bits))
    case ScalarType.SINT32:
      return Number(BigInt.asIntN(32, zigzag(BigInt.asUintN(32, bits))))
    case ScalarType.INT64:
    case ScalarType.SFIXED64:
      return `${BigInt.asIntN(64, bits)}`
    case ScalarType.SINT64:
      return `${BigInt.asIntN(64, zigzag(BigInt.asUintN(64, bits)))}`
    case ScalarType.FLOAT:
      return floatJson(toFloat(bits, 32))
    case ScalarType.DOUBLE:
      return floatJson(toFloat(bits, 64))
    default:
      return `${BigInt.asUintN(64, bits)}`
  }
}

const INTEGER = /^-?[0-9]+$/

/** `LegacyDec` is encoded as an integer of 1e-18, Osmosis' `BigDec` as one of 1e-36. */
const decimalPlaces = (goType: string): number | undefined => {
  if (/[./](Legacy)?Dec$/.test(goType)) return 18
  return goType.endsWith('.BigDec') ? 36 : undefined
}

/** `"-25"` with 3 decimals → `"-0.025"`. All decimals, as Go prints them. */
const withPoint = (integer: string, places: number): string => {
  const sign = integer.startsWith('-') ? '-' : ''
  const digits = integer
    .slice(sign.length)
    .replace(/^0+/, '')
    .padStart(places + 1, '0')
  return `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`
}

const stringJson = (text: string, { customType }: GogoOptions): string => {
  const places = decimalPlaces(customType)
  if (places === undefined || !INTEGER.test(text)) return text
  return withPoint(text, places)
}

type At = { path: string; kept: LongBytes[] }

/** The texts and numbers of a JSON text. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/g

/** A double rounds a number with this many digits without an error. */
const losesDigits = (token: string): boolean =>
  !token.startsWith('"') && token.replace(/[^0-9]/g, '').length > 15

/** Deeper JSON is kept as text. */
const MAX_DEPTH = 64

/** JSON in a bytes field. The text itself if a number does not fit a double; undefined if it is not JSON. */
const inlineJson = (text: string): unknown => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const numbers = text.match(TOKENS) ?? []
  return numbers.some(losesDigits) || !isNestedWithin(MAX_DEPTH, value) ? text : value
}

const customBytes = (bytes: Uint8Array, { customType, castType }: GogoOptions): unknown => {
  if (castType.endsWith('RawContractMessage') || castType.endsWith('json.RawMessage')) {
    return inlineJson(decodeText(bytes))
  }
  if (castType.endsWith('bytes.HexBytes')) return Buffer.from(bytes).toString('hex').toUpperCase()
  const isText = decimalPlaces(customType) !== undefined || /[./](Int|Uint)$/.test(customType)
  return isText
    ? stringJson(decodeText(bytes), { isNullable: true, customType, castType })
    : undefined
}

export const scalarJson = (
  { field, type, value }: { field: DescField; type: ScalarType; value: Value },
  at: At,
): unknown => {
  if (type === ScalarType.STRING) return stringJson(toText(value), getGogoOptions(field))
  if (type !== ScalarType.BYTES) return numberJson(type, toBits(value))
  const bytes = toBytes(value)
  return customBytes(bytes, getGogoOptions(field)) ?? bytesJson(bytes, at)
}

/** Prefix of value names that Go prints in another form: `ACCESS_TYPE_ANY_OF_ADDRESSES` → `AnyOfAddresses`. */
const PRINTED_PREFIX: Readonly<Record<string, string>> = {
  'cosmwasm.wasm.v1.AccessType': 'ACCESS_TYPE_',
}

const printedName = (typeName: string, name: string): string => {
  const prefix = PRINTED_PREFIX[typeName]
  if (prefix === undefined || !name.startsWith(prefix)) return name
  const words = name.slice(prefix.length).toLowerCase().split('_')
  return words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('')
}

/** A number if the enum has no such value. */
export const enumJson = (desc: DescEnum, value: Value): string | number => {
  const number = Number(BigInt.asIntN(32, toBits(value)))
  const name = desc.value[number]?.name
  return name === undefined ? number : printedName(desc.typeName, name)
}

/** A field that was not sent. Go prints a missing `Int` as 0, a missing `Dec` and missing bytes as null. */
export const absentScalar = (field: DescField, type: ScalarType): unknown => {
  const { customType, isNullable } = getGogoOptions(field)
  if (customType !== '') {
    if (decimalPlaces(customType) !== undefined) return null
    if (/[./](Int|Uint)$/.test(customType)) return isNullable ? null : '0'
  }
  if (type === ScalarType.STRING) return ''
  return type === ScalarType.BYTES ? null : numberJson(type, 0n)
}
