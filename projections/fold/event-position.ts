// Where an event stands on the chain: rows that follow it carry this position as their version.
import { toPosition } from '../../ingest/contract/envelope.ts'

export type EventPosition = {
  value: bigint
  /** `value` as rows have it: formatted once, because one event may change many rows. */
  digits: string
  height: number
  /** Of the block, RFC 3339. */
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

/** The later of two; the first where both are of the same event. */
export const later = (one: EventPosition, other: EventPosition): EventPosition =>
  other.value > one.value ? other : one
