// Converts Google's well-known types to JSON: timestamp and duration as text, wrapper as value, struct as object.

type Fields = { seconds: bigint; nanos: number }

/** Years 1 to 9999: Go refuses any other. */
const FIRST_SECONDS = -62_135_596_800n
const LAST_SECONDS = 253_402_300_799n
const MAX_DURATION_SECONDS = 315_576_000_000n

/** 0, 3, 6 or 9 decimals. */
const formatFraction = (nanos: number): string => {
  if (nanos < 0 || nanos > 999_999_999) throw new RangeError('nanoseconds out of range')
  const places = `.${nanos.toString().padStart(9, '0')}`
  return places
    .replace(/000$/, '')
    .replace(/000$/, '')
    .replace(/^\.000$/, '')
}

export const timestampJson = ({ seconds, nanos }: Fields): string => {
  if (seconds < FIRST_SECONDS || seconds > LAST_SECONDS) {
    throw new RangeError('a timestamp out of range')
  }
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, 19)
  return `${whole}${formatFraction(nanos)}Z`
}

export const durationJson = ({ seconds, nanos }: Fields): string => {
  const isNegative = seconds < 0n || nanos < 0
  if (isNegative && (seconds > 0n || nanos > 0)) {
    throw new RangeError('the signs of seconds and nanoseconds differ')
  }
  const magnitude = seconds < 0n ? -seconds : seconds
  if (magnitude > MAX_DURATION_SECONDS) throw new RangeError('a duration out of range')
  return `${isNegative ? '-' : ''}${magnitude}${formatFraction(Math.abs(nanos))}s`
}

/** A timestamp or duration that is not a pointer in Go and was not sent. */
export const ZERO_TIMES: Readonly<Record<string, string>> = {
  'google.protobuf.Timestamp': timestampJson({ seconds: FIRST_SECONDS, nanos: 0 }),
  'google.protobuf.Duration': durationJson({ seconds: 0n, nanos: 0 }),
}

type Members = Readonly<Record<string, unknown>>

const readTimes = ({ seconds, nanos }: Members): Fields => ({
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
      return { json: timestampJson(readTimes(members)) }
    case 'google.protobuf.Duration':
      return { json: durationJson(readTimes(members)) }
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
