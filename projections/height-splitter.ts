// Cuts a stream of records where heights end. A height whose marker has not come yet is held back.
import { markerIn } from '../ingest/contract/codec.ts'
import type { Marker as MarkerEvent } from '../ingest/contract/events.ts'
import type { FoldRecord } from './fold/record.ts'

export type Marker = { event: MarkerEvent; offset: bigint }

export type HeightSplitter = {
  /** Whole heights, the last one's marker last; undefined while no height is whole. */
  push(records: readonly FoldRecord[]): { records: FoldRecord[]; marker: Marker } | undefined
  /** Records held back. */
  countPending(): number
}

export const createHeightSplitter = (): HeightSplitter => {
  let waiting: FoldRecord[] = []
  return {
    push(records) {
      for (let last = records.length - 1; last >= 0; last--) {
        const { decoded, offset } = records[last] as FoldRecord
        const event = markerIn(decoded)
        if (!event) continue
        const whole = [...waiting, ...records.slice(0, last + 1)]
        waiting = records.slice(last + 1)
        return { records: whole, marker: { event, offset } }
      }
      // Not spread: a height of many records must not be copied with each of its reads.
      for (const record of records) waiting.push(record)
      return undefined
    },
    countPending: () => waiting.length,
  }
}
