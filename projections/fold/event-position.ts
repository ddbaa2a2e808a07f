// The position of an event on the chain, which is the version of the rows that follow from it.
import { toPosition } from '../../ingest/contract/envelope.ts'

export type EventPosition = {
  value: bigint
  height: number
  /** Time of the block, RFC 3339. */
  time: string
}

export const eventPosition = (event: {
  height: number
  index: number
  time: string
}): EventPosition => {
  return { value: toPosition(event), height: event.height, time: event.time }
}

/** The later of two positions; the first if both are of the same event. */
export const later = (one: EventPosition, other: EventPosition): EventPosition =>
  other.value > one.value ? other : one
