// Encodes one message, of any depth, as the `Any` that a proposal contains.

import type { Any } from 'cosmjs-types/google/protobuf/any'
import type { DeepPartial } from 'cosmjs-types/helpers'

type Codec<Value> = {
  typeUrl: string
  encode(value: Value): { finish(): Uint8Array }
  fromPartial(value: DeepPartial<Value>): Value
}

/** Members that are left out have their default. */
export function pack<Value>(codec: Codec<Value>, value: DeepPartial<Value>): Any {
  return { typeUrl: codec.typeUrl, value: codec.encode(codec.fromPartial(value)).finish() }
}
