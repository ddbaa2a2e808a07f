// Converts protobuf timestamps and durations to text and seconds, to the nanosecond.

type Timestamp = { seconds: bigint; nanos: number }

/** Go's zero time: a `Timestamp` that is not nullable has this value for "never". */
const NEVER_SECONDS = -62_135_596_800n
/** Last second of the year 9999: RFC 3339 has no later time. */
const LAST_SECONDS = 253_402_300_799n

/** RFC 3339 with as many decimals as needed; null for an absent, zero or invalid time. */
export const rfc3339 = (timestamp: Timestamp | undefined): string | null => {
  if (!timestamp || timestamp.seconds <= NEVER_SECONDS || timestamp.seconds > LAST_SECONDS) {
    return null
  }
  const whole = new Date(Number(timestamp.seconds) * 1000).toISOString().slice(0, 19)
  const nanos = timestamp.nanos.toString().padStart(9, '0').replace(/0+$/, '')
  return nanos === '' ? `${whole}Z` : `${whole}.${nanos}Z`
}

/** Seconds with their fraction; null if the chain has no such duration. */
export const toSeconds = (duration: Timestamp | undefined): number | null =>
  duration ? Number(duration.seconds) + duration.nanos / 1e9 : null

/** Adds seconds to an RFC 3339 time, in whole nanoseconds; null after the year 9999. */
export const secondsAfter = (time: string, seconds: number): string | null => {
  const [, fraction = ''] = /\.(\d{1,9})/.exec(time) ?? []
  const startSeconds = Math.floor(toEpochMs(time) / 1000)
  if (!Number.isFinite(startSeconds) || !Number.isFinite(seconds)) return null
  const nanos = BigInt(fraction.padEnd(9, '0')) + BigInt(Math.round((seconds % 1) * 1e9))
  return rfc3339({
    seconds: BigInt(startSeconds) + BigInt(Math.trunc(seconds)) + nanos / 1_000_000_000n,
    nanos: Number(nanos % 1_000_000_000n),
  })
}

/** Milliseconds since the Unix epoch of an RFC 3339 time; finer decimals are dropped. */
export const toEpochMs = (time: string): number => Date.parse(time.replace(/(\.\d{3})\d+/, '$1'))
