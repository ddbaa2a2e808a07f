// When a fact was recorded: its position on the chain and its block's time, in ClickHouse's spelling.
import { positionOf } from '../../ingest/contract/envelope.ts'

/** The event that a row follows. */
export type Moment = {
  position: bigint
  /** The position as rows have it: spelled once, for there are many rows to an event. */
  digits: string
  height: number
  time: string
}

const RFC3339 =
  /^(\d{4})-(\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(?:\.(\d{1,9})\d*)?([Zz]|[+-]\d{2}:\d{2})$/
// DateTime64(9) ends in 2262; Go's zero time (year 1) means "not set".
const FIRST_YEAR = 1900
const LAST_YEAR = 2261

// Nearly every row of a height asks for the same time.
let latest: { time: string | null; stored: string | null } = { time: null, stored: null }

/** RFC 3339 → `2026-11-21 08:00:00.123456789` in UTC; null where there is no such time to store. */
export const timestampOf = (time: string | null): string | null => {
  if (time !== latest.time) latest = { time, stored: convert(time) }
  return latest.stored
}

const convert = (time: string | null): string | null => {
  const match = time === null ? null : RFC3339.exec(time)
  if (!match) return null
  const [, year, monthDay, clock, fraction = '', zone] = match
  const nanos = fraction.padEnd(9, '0')
  if (Number(year) < FIRST_YEAR || Number(year) > LAST_YEAR) return null
  if (zone === 'Z' || zone === 'z') return `${year}-${monthDay} ${clock}.${nanos}`
  const utc = new Date(`${year}-${monthDay}T${clock}${zone}`)
  if (Number.isNaN(utc.getTime())) return null
  return `${utc.toISOString().slice(0, 19).replace('T', ' ')}.${nanos}`
}

/** As `timestampOf`, for columns that cannot be NULL. */
export const timestampOrEpoch = (time: string): string =>
  timestampOf(time) ?? '1970-01-01 00:00:00.000000000'

export const momentOf = (event: { height: number; index: number; time: string }): Moment => {
  const position = positionOf(event)
  return { position, digits: position.toString(), height: event.height, time: event.time }
}

/** The later of two; the first where both follow the same event. */
export const later = (one: Moment, other: Moment): Moment =>
  other.position > one.position ? other : one

/** Milliseconds since the epoch → `2026-11-21 08:00:00.123`. */
export const wallClockTimestamp = (ms: number): string =>
  new Date(ms).toISOString().replace('T', ' ').slice(0, -1)
