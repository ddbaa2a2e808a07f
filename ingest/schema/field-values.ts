// The fields of a message before JSON: their values, unpacked and merged, and the gogoproto options that affect JSON.
import { type DescField, ScalarType } from '@bufbuild/protobuf'
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'
import { type Budget, readValue, type WireField } from './wire.ts'

export const invalid = (field: DescField, wireType: WireType): Error =>
  new TypeError(`field ${field.name} has wire type ${WireType[wireType] ?? wireType}`)

export type Values = readonly WireField[]
export type FieldType = ScalarType | 'enum' | 'message'

export const getFieldType = (field: DescField): FieldType => {
  if (field.fieldKind === 'map') return 'message'
  return field.message ? 'message' : field.enum ? 'enum' : field.scalar
}

export const getWireType = (type: FieldType): WireType => {
  switch (type) {
    case 'message':
    case ScalarType.STRING:
    case ScalarType.BYTES:
      return WireType.LengthDelimited
    case ScalarType.FIXED32:
    case ScalarType.SFIXED32:
    case ScalarType.FLOAT:
      return WireType.Bit32
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
    case ScalarType.DOUBLE:
      return WireType.Bit64
    default:
      return WireType.Varint
  }
}

/** Protobuf merges a message that is sent twice; its concatenated bytes decode to the merged message. */
export const joined = (field: DescField, values: Values): Uint8Array => {
  const parts = values.map(({ value, wireType }) => {
    if (typeof value === 'bigint') throw invalid(field, wireType)
    return value
  })
  return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
}

/** Numbers of a list may be packed or single. */
export const unpacked = (
  field: DescField,
  sent: WireField,
  budget: Budget,
): Pick<WireField, 'value' | 'wireType'>[] => {
  const wireType = getWireType(getFieldType(field))
  const isPacked =
    sent.wireType === WireType.LengthDelimited && wireType !== WireType.LengthDelimited
  if (!isPacked || typeof sent.value === 'bigint') return [sent]
  const reader = new BinaryReader(sent.value)
  const values: Pick<WireField, 'value' | 'wireType'>[] = []
  while (reader.pos < reader.len) {
    if (--budget.fields < 0) throw new RangeError('the message has more fields than are decoded')
    values.push({ value: readValue(reader, field.number, wireType), wireType })
  }
  return values
}

/** The last member of a `oneof` wins. */
export const isOverridden = (field: DescField, sent: Values): boolean => {
  const numbers = new Set(field.oneof?.fields.map(({ number }) => number))
  return numbers.size > 0 && sent.findLast(({ no }) => numbers.has(no))?.no !== field.number
}

export const groupByNumber = (sent: Values): Map<number, WireField[]> => {
  const byNumber = new Map<number, WireField[]>()
  for (const field of sent) {
    const group = byNumber.get(field.no)
    if (group) group.push(field)
    else byNumber.set(field.no, [field])
  }
  return byNumber
}

export type GogoOptions = {
  /** False: a Go value instead of a pointer; it is never null. */
  isNullable: boolean
  /** The Go type of the field's conversion, such as `cosmossdk.io/math.LegacyDec`. */
  customType: string
  /** The declared Go type of the field, such as `RawContractMessage`. */
  castType: string
}

const NULLABLE = 65001
const CUSTOM_TYPE = 65003
const CAST_TYPE = 65007

const cache = new WeakMap<DescField, GogoOptions>()

const readOptions = (field: DescField): GogoOptions => {
  const options: GogoOptions = { isNullable: true, customType: '', castType: '' }
  for (const { no, data } of field.proto.options?.$unknown ?? []) {
    const reader = new BinaryReader(data)
    if (no === NULLABLE) options.isNullable = reader.bool()
    else if (no === CUSTOM_TYPE) options.customType = reader.string()
    else if (no === CAST_TYPE) options.castType = reader.string()
  }
  return options
}

export const getGogoOptions = (field: DescField): GogoOptions => {
  const known = cache.get(field)
  if (known) return known
  const options = readOptions(field)
  cache.set(field, options)
  return options
}
