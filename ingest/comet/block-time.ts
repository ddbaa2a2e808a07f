// The time of a block as its header has it: a real instant, or the answer is refused.

const RFC3339 =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:Z|([+-])(\d{2}):(\d{2}))$/

/** What the read store's `DateTime64(9)` can hold, and no chain is older. */
const FIRST_YEAR = 1970
const LAST_YEAR = 2261

type Instant = { ms: number; nanos: number }

/**
 * RFC 3339 as Go writes it, up to nanoseconds. Undefined for a day or an hour that does not exist,
 * a leap second (no chain's clock has them), or a year that cannot be stored.
 */
export const parseInstant = (text: string): Instant | undefined => {
  const match = RFC3339.exec(text)
  if (!match) return undefined
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number)
  const local = Date.UTC(year!, month! - 1, day!, hour!, minute!, second!)
  const [, , , , , , , fraction = '', sign, offsetHours = '0', offsetMinutes = '0'] = match
  // `Date` turns 31 February into 3 March and 25:00 into the next day: then the text is no instant.
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

/** False where either text is no instant. */
export const isBefore = (one: string, other: string): boolean => {
  const [left, right] = [parseInstant(one), parseInstant(other)]
  if (!left || !right) return false
  return left.ms === right.ms ? left.nanos < right.nanos : left.ms < right.ms
}
