// Parses the time of a block header. An invalid time makes the response invalid.

const RFC3339 =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:Z|([+-])(\d{2}):(\d{2}))$/

/** The range of `DateTime64(9)` in ClickHouse; no chain is older. */
const FIRST_YEAR = 1970
const LAST_YEAR = 2261

type Instant = { ms: number; nanos: number }

/**
 * RFC 3339 as Go writes it, up to nanoseconds. Undefined for an invalid day or hour, a leap second (no
 * chain's clock has them), or a year that cannot be stored.
 */
export const parseInstant = (text: string): Instant | undefined => {
  const match = RFC3339.exec(text)
  if (!match) return undefined
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number)
  const local = Date.UTC(year!, month! - 1, day!, hour!, minute!, second!)
  const [, , , , , , , fraction = '', sign, offsetHours = '0', offsetMinutes = '0'] = match
  // `Date` changes 31 February to 3 March and 25:00 to the next day: then the text is not a valid time.
  const exact = Number.isNaN(local) ? '' : new Date(local).toISOString().slice(0, 19)
  if (exact !== text.slice(0, 19) || Number(offsetHours) > 23 || Number(offsetMinutes) > 59) {
    return undefined
  }
  const offsetMs = (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000
  const ms = sign === '-' ? local + offsetMs : local - offsetMs
  const utcYear = new Date(ms).getUTCFullYear()
  if (utcYear < FIRST_YEAR || utcYear > LAST_YEAR) return undefined
  return { ms, nanos: Number(fraction.padEnd(9, '0')) }
}

/** False if either text is not a valid time. */
export const isBefore = (one: string, other: string): boolean => {
  const [left, right] = [parseInstant(one), parseInstant(other)]
  if (!left || !right) return false
  return left.ms === right.ms ? left.nanos < right.nanos : left.ms < right.ms
}
