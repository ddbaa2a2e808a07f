// Messages with parts that are bytes of a node: these pass through unchanged, with members that no type knows.
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire'

export type Field = { number: number; bytes: Uint8Array } | { number: number; varint: bigint }

/** Length-delimited fields, present even when empty. */
export function fields(all: readonly (readonly [number, Uint8Array | string])[]): Uint8Array {
  const writer = new BinaryWriter()
  for (const [number, value] of all) {
    writer.tag(number, WireType.LengthDelimited)
    if (typeof value === 'string') writer.string(value)
    else writer.bytes(value)
  }
  return writer.finish()
}

export const bytesField = (number: number, bytes: Uint8Array): Uint8Array =>
  fields([[number, bytes]])

/** As in proto3, an empty string is omitted. */
export const stringField = (number: number, text: string): Uint8Array =>
  text === '' ? new Uint8Array() : bytesField(number, Buffer.from(text))

/** As in proto3, a zero is omitted. */
export const uintField = (number: number, value: bigint): Uint8Array =>
  value === 0n
    ? new Uint8Array()
    : new BinaryWriter().tag(number, WireType.Varint).uint64(value).finish()

export const concat = (parts: readonly Uint8Array[]): Buffer => Buffer.concat(parts)

export function readFields(bytes: Uint8Array): Field[] {
  const fields: Field[] = []
  const reader = new BinaryReader(bytes)
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag()
    if (type === WireType.Varint) fields.push({ number, varint: BigInt(reader.uint64()) })
    else if (type === WireType.LengthDelimited) fields.push({ number, bytes: reader.bytes() })
    else fields.push({ number, bytes: reader.skip(type, number) })
  }
  return fields
}

/** The last one wins, as the protobuf standard requires. */
export const readBytes = (fields: readonly Field[], number: number): Uint8Array | undefined =>
  readRepeated(fields, number).at(-1)

export const readRepeated = (fields: readonly Field[], number: number): Uint8Array[] =>
  fields.flatMap((field) => (field.number === number && 'bytes' in field ? [field.bytes] : []))
