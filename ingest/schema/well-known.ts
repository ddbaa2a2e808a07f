// Converts Google's well-known types to JSON: timestamp and duration as text, wrapper as value, struct as object.
import { create, toJson } from '@bufbuild/protobuf'
import { DurationSchema, TimestampSchema } from '@bufbuild/protobuf/wkt'

/** Go's zero time. */
const NEVER_SECONDS = -62_135_596_800n

const timeJson = (
  schema: typeof DurationSchema | typeof TimestampSchema,
  { seconds, nanos }: { seconds: bigint; nanos: number },
): string => {
  // The library checks those of a timestamp only.
  if (Math.abs(nanos) > 999_999_999) throw new RangeError('nanoseconds out of range')
  return `${toJson(schema, create(schema, { seconds, nanos }))}`
}

/** A timestamp or duration that is not a pointer in Go and was not sent. */
export const ZERO_TIMES: Readonly<Record<string, string>> = {
  'google.protobuf.Timestamp': timeJson(TimestampSchema, { seconds: NEVER_SECONDS, nanos: 0 }),
  'google.protobuf.Duration': timeJson(DurationSchema, { seconds: 0n, nanos: 0 }),
}

type Members = Readonly<Record<string, unknown>>

const readTime = ({ seconds, nanos }: Members) => ({
  seconds: BigInt(`${seconds}`),
  nanos: Number(nanos),
})

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null

/** `google.protobuf.Value` has exactly one member. */
const valueJson = (members: Members): unknown => {
  const [[kind, value] = []] = Object.entries(members)
  return kind === 'null_value' ? null : (value ?? null)
}

const WRAPPERS =
  /^google\.protobuf\.(Double|Float|Int64|UInt64|Int32|UInt32|Bool|String|Bytes)Value$/
const OTHERS = /^google\.protobuf\.(Timestamp|Duration|Struct|ListValue|Value)$/

/** Inside an `Any` such a type is `{ "@type", "value" }`. */
export const isWellKnown = (typeName: string): boolean =>
  WRAPPERS.test(typeName) || OTHERS.test(typeName)

/** `members`: the decoded fields of the message. Undefined if the type has no special JSON. */
export const wellKnownJson = (
  typeName: string,
  members: Members,
): { json: unknown } | undefined => {
  switch (typeName) {
    case 'google.protobuf.Timestamp':
      return { json: timeJson(TimestampSchema, readTime(members)) }
    case 'google.protobuf.Duration':
      return { json: timeJson(DurationSchema, readTime(members)) }
    case 'google.protobuf.Struct':
      return { json: isMembers(members['fields']) ? members['fields'] : {} }
    case 'google.protobuf.ListValue':
      return { json: members['values'] ?? [] }
    case 'google.protobuf.Value':
      return { json: valueJson(members) }
    default:
      return WRAPPERS.test(typeName) ? { json: members['value'] ?? null } : undefined
  }
}
