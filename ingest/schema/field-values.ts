// Collects the values of each field of a message before JSON: unpacks lists and merges repeated messages.
import type { DescField, ScalarType } from '@bufbuild/protobuf'
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'
import { getWireType } from './scalar-json.ts'
import type { Budget, WireField } from './wire.ts'

export const invalid = (field: DescField, wireType: WireType): Error =>
  new TypeError(`field ${field.name} has wire type ${WireType[wireType] ?? wireType}`)

export type Values = readonly WireField[]
export type FieldType = ScalarType | 'enum' | 'message'

export const getFieldType = (field: DescField): FieldType => {
  if (field.fieldKind === 'map') return 'message'
  return field.message ? 'message' : field.enum ? 'enum' : field.scalar
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
    const value =
      wireType === WireType.Varint
        ? BigInt(reader.uint64())
        : wireType === WireType.Bit32
          ? BigInt(reader.fixed32())
          : BigInt(reader.fixed64())
    values.push({ value, wireType })
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
