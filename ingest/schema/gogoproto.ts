// The gogoproto options that affect JSON. They are extensions, so they arrive as unknown fields.
import type { DescField } from '@bufbuild/protobuf'
import { BinaryReader } from '@bufbuild/protobuf/wire'

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
