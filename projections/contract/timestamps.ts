// Timestamps as ClickHouse prints them, in UTC without a zone, and RFC 3339 times of blocks.

/** `2026-11-21 08:00:00.000000000`. */
export type Timestamp = string

const TIMESTAMP = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})(?:\.\d{1,9})?$/
// DateTime64(9) ends in 2262; Go's zero time (year 1) means "not set".
const FIRST_YEAR = 1900
const LAST_YEAR = 2261

/** `2026-11-21 08:00:00.123456789` → milliseconds since the epoch; NaN if invalid. */
export const timestampToMs = (timestamp: string): number =>
  Date.parse(`${timestamp.slice(0, 23).replace(' ', 'T')}Z`)

/** `2026-11-21 08:00:00.123456789` → `2026-11-21T08:00:00.123456789Z`. */
export const timestampToRfc3339 = (timestamp: string): string => `${timestamp.replace(' ', 'T')}Z`

const daysIn = (year: number, month: number): number => {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
}

/** Digits alone are not a date, and `Date` reads 30 February as 2 March. Called for every row, so without a `Date`. */
const isRealTime = (date: string, clock: string): boolean => {
  const [month, day] = [Number(date.slice(5, 7)), Number(date.slice(8))]
  if (month < 1 || month > 12 || day < 1) return false
  const isDate = day <= daysIn(Number(date.slice(0, 4)), month)
  return isDate && clock < '24' && clock.slice(3) < '60' && clock.slice(6) < '60'
}

const isStorableDate = (date: string): boolean => {
  const year = Number(date.slice(0, 4))
  return year >= FIRST_YEAR && year <= LAST_YEAR
}

// Nearly all rows of a commit share a few times.
let latestTimestamp = ''

/** Whether `DateTime64(9)` can store the time of a row. */
export const isTimestamp = (timestamp: string): boolean => {
  if (timestamp === latestTimestamp) return true
  const [, date = '', clock = ''] = TIMESTAMP.exec(timestamp) ?? []
  if (!isStorableDate(date) || !isRealTime(date, clock)) return false
  latestTimestamp = timestamp
  return true
}

const RFC3339 =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(?:\.(\d{1,9})\d*)?([Zz]|[+-]\d{2}:\d{2})$/
// Nearly every row of a height has the same time.
let latestTime: { time: string | null; stored: string | null } = { time: null, stored: null }

/** RFC 3339 → `2026-11-21 08:00:00.123456789` in UTC; null if the time cannot be stored. */
export const toTimestamp = (time: string | null): string | null => {
  if (time !== latestTime.time) latestTime = { time, stored: convert(time) }
  return latestTime.stored
}

const convert = (time: string | null): string | null => {
  const match = time === null ? null : RFC3339.exec(time)
  if (!match) return null
  const [, date = '', clock = '', fraction = '', zone] = match
  if (!isStorableDate(date) || !isRealTime(date, clock)) return null
  const nanos = fraction.padEnd(9, '0')
  if (zone === 'Z' || zone === 'z') return `${date} ${clock}.${nanos}`
  const utc = new Date(`${date}T${clock}${zone}`)
  if (Number.isNaN(utc.getTime())) return null
  return `${utc.toISOString().slice(0, 19).replace('T', ' ')}.${nanos}`
}

/** Whether this is a valid block time: an existing date that can be stored. */
export const isBlockTime = (time: string): boolean => toTimestamp(time) !== null

/** Whether a proposal's time is impossible; Go's zero time is possible, and means "not set". */
export const isImpossibleTime = (time: string | null): boolean => {
  const [, date = '', clock = ''] = (time === null ? null : RFC3339.exec(time)) ?? []
  return time !== null && !isRealTime(date, clock)
}

/** As `toTimestamp`, for columns that are not nullable. */
export const timestampOrEpoch = (time: string): string =>
  toTimestamp(time) ?? '1970-01-01 00:00:00.000000000'

/** Milliseconds since the epoch → `2026-11-21 08:00:00.123`. */
export const wallClockTimestamp = (ms: number): string =>
  new Date(ms).toISOString().replace('T', ' ').slice(0, -1)
