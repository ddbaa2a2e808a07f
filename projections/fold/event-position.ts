// The position of an event on the chain, which is the version of the rows that follow from it.
import { toPosition } from '../../ingest/contract/envelope.ts'

export type EventPosition = {
  value: bigint
  /** `value` in the format of rows: formatted once, because one event may change many rows. */
  digits: string
  height: number
  /** Time of the block, RFC 3339. */
  time: string
}

export const eventPosition = (event: {
  height: number
  index: number
  time: string
}): EventPosition => {
  const value = toPosition(event)
  return { value, digits: value.toString(), height: event.height, time: event.time }
}

/** The later of two positions; the first if both are of the same event. */
export const later = (one: EventPosition, other: EventPosition): EventPosition =>
  other.value > one.value ? other : one
