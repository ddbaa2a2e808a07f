// Converts RFC 3339 times to the format of ClickHouse.
import { isRealTime, isStorableDate } from '../contract/timestamps.ts'

const RFC3339 =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(?:\.(\d{1,9})\d*)?([Zz]|[+-]\d{2}:\d{2})$/
// Nearly every row of a height has the same time.
let latest: { time: string | null; stored: string | null } = { time: null, stored: null }

/** RFC 3339 → `2026-11-21 08:00:00.123456789` in UTC; null if the time cannot be stored. */
export const toTimestamp = (time: string | null): string | null => {
  if (time !== latest.time) latest = { time, stored: convert(time) }
  return latest.stored
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
