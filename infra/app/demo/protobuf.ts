// A minimal protobuf writer that frames recorded messages without changing their bytes.

export type Field = { number: number; bytes: Uint8Array } | { number: number; varint: bigint }

function varint(value: bigint): number[] {
  const bytes: number[] = []
  let rest = value
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128)
    rest >>= 7n
  }
  bytes.push(Number(rest))
  return bytes
}

/** A length-delimited field, present even when empty. */
export function bytesField(number: number, bytes: Uint8Array): Buffer {
  const head = [...varint(BigInt((number << 3) | 2)), ...varint(BigInt(bytes.length))]
  return Buffer.concat([Buffer.from(head), bytes])
}

/** As in proto3, an empty string is omitted. */
export function stringField(number: number, text: string): Buffer {
  return text === '' ? Buffer.alloc(0) : bytesField(number, Buffer.from(text))
}

/** As in proto3, a zero is omitted. */
export function uintField(number: number, value: bigint): Buffer {
  if (value === 0n) return Buffer.alloc(0)
  return Buffer.from([...varint(BigInt(number << 3)), ...varint(value)])
}

export const concat = (parts: readonly Uint8Array[]): Buffer => Buffer.concat(parts)

type Cursor = { at: number }

function readVarint(bytes: Uint8Array, cursor: Cursor): bigint {
  let value = 0n
  for (let shift = 0n; shift < 70n; shift += 7n) {
    const byte = bytes[cursor.at++]
    if (byte === undefined) throw new RangeError('unexpected EOF')
    value |= BigInt(byte & 127) << shift
    if (byte < 128) return value
  }
  throw new RangeError('integer overflow')
}

const FIXED: Record<number, number> = { 1: 8, 5: 4 }

/** Throws `RangeError` with the message of the chain if the bytes are truncated. */
export function readFields(bytes: Uint8Array): Field[] {
  const fields: Field[] = []
  const cursor = { at: 0 }
  while (cursor.at < bytes.length) {
    const tag = Number(readVarint(bytes, cursor))
    const number = tag >>> 3
    const wireType = tag & 7
    if (wireType === 0) {
      fields.push({ number, varint: readVarint(bytes, cursor) })
      continue
    }
    const length = wireType === 2 ? Number(readVarint(bytes, cursor)) : FIXED[wireType]
    if (length === undefined) throw new RangeError(`illegal wireType ${wireType}`)
    const end = cursor.at + length
    if (end > bytes.length) throw new RangeError('unexpected EOF')
    fields.push({ number, bytes: bytes.subarray(cursor.at, end) })
    cursor.at = end
  }
  return fields
}

/** The last one wins, as the protobuf standard requires. */
export function readBytes(fields: readonly Field[], number: number): Uint8Array | undefined {
  let found: Uint8Array | undefined
  for (const field of fields) if (field.number === number && 'bytes' in field) found = field.bytes
  return found
}

export function readUint(fields: readonly Field[], number: number): bigint {
  let found = 0n
  for (const field of fields) if (field.number === number && 'varint' in field) found = field.varint
  return found
}

export function readText(fields: readonly Field[], number: number): string {
  return Buffer.from(readBytes(fields, number) ?? []).toString('utf8')
}

export function readRepeated(fields: readonly Field[], number: number): Uint8Array[] {
  return fields.flatMap((field) =>
    field.number === number && 'bytes' in field ? [field.bytes] : [],
  )
}
