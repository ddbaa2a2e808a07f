// Cuts a stream of records where heights end. A height whose marker has not come yet is held back.
import type { EventOf } from '../ingest/contract/events.ts'
import type { FoldRecord } from './fold/record.ts'

export type Marker = { event: EventOf<'rollcall.block.indexed.v1'>; offset: bigint }

export type HeightSplitter = {
  /** Whole heights, the last one's marker last; undefined while no height is whole. */
  push(records: readonly FoldRecord[]): { records: FoldRecord[]; marker: Marker } | undefined
  /** Records held back. */
  held(): number
}

const markerOf = ({ decoded, offset }: FoldRecord): Marker | undefined =>
  decoded.ok && decoded.event.type === 'rollcall.block.indexed.v1'
    ? { event: decoded.event, offset }
    : undefined

export const createHeightSplitter = (): HeightSplitter => {
  let waiting: FoldRecord[] = []
  return {
    push(records) {
      for (let last = records.length - 1; last >= 0; last--) {
        const marker = markerOf(records[last] as FoldRecord)
        if (!marker) continue
        const whole = [...waiting, ...records.slice(0, last + 1)]
        waiting = records.slice(last + 1)
        return { records: whole, marker }
      }
      // Not spread: a height of many records must not be copied with each of its reads.
      for (const record of records) waiting.push(record)
      return undefined
    },
    held: () => waiting.length,
  }
}
