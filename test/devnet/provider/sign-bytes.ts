// The parts of the bytes that a validator signs, which protobuf encodes with a fixed length.
import { bytesField, concat, uintField } from '../../../infra/app/chain/raw-message.ts'

export type Time = { seconds: bigint; nanos: bigint }

/** As in proto3, a zero is omitted. */
export function fixed64Field(field: number, value: bigint): Uint8Array {
  if (value === 0n) return Buffer.alloc(0)
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return concat([Uint8Array.of((field << 3) | 1), bytes])
}

export const timeField = (field: number, { seconds, nanos }: Time): Uint8Array =>
  bytesField(field, concat([uintField(1, seconds), uintField(2, nanos)]))

/** A field without its tag. */
export const lengthPrefixed = (bytes: Uint8Array): Uint8Array => bytesField(1, bytes).subarray(1)
