// Reads the fields of one protobuf message in order, without a schema, within a budget.
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'

export type WireField = {
  no: number
  wireType: WireType
  /** The bits of a varint or a fixed-width value; the bytes of any other. */
  value: bigint | Uint8Array
  /** The field with its tag, as sent. */
  raw: Uint8Array
}

/**
 * Number of fields that a decoding may still read. A message of 1 MB may have 500,000 empty fields, and each
 * becomes an object.
 */
export type Budget = { fields: number }

export const readValue = (
  reader: BinaryReader,
  no: number,
  wireType: WireType,
): bigint | Uint8Array => {
  switch (wireType) {
    case WireType.Varint:
      return BigInt(reader.uint64())
    case WireType.Bit32:
      return BigInt(reader.fixed32())
    case WireType.Bit64:
      return BigInt(reader.fixed64())
    case WireType.LengthDelimited:
      return reader.bytes()
    default:
      return reader.skip(wireType, no)
  }
}

/** Throws if the bytes are not protobuf, or exceed the budget. */
export const readWireFields = (bytes: Uint8Array, budget: Budget): WireField[] => {
  const reader = new BinaryReader(bytes)
  const fields: WireField[] = []
  while (reader.pos < reader.len) {
    if (--budget.fields < 0) throw new RangeError('the message has more fields than are decoded')
    const start = reader.pos
    const [no, wireType] = reader.tag()
    const value = readValue(reader, no, wireType)
    fields.push({ no, wireType, value, raw: bytes.subarray(start, reader.pos) })
  }
  return fields
}

const MAX_FIELDS = 100_000

/** The fields of a response of the node; empty if there is none. Throws if the bytes are not protobuf. */
export const readFields = (bytes: Uint8Array | undefined): WireField[] =>
  bytes ? readWireFields(bytes, { fields: MAX_FIELDS }) : []

/** The last value of a field, as protobuf reads a field that is not repeated. */
export const lastBytes = (fields: readonly WireField[], no: number): Uint8Array | undefined => {
  const field = fields.findLast((each) => each.no === no)
  return field?.value instanceof Uint8Array ? field.value : undefined
}
