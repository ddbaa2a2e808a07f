// Splits a stream of records into whole heights. Keeps records of a height until its marker arrives.
import { markerIn } from '../../ingest/contract/codec.ts'
import type { Marker as MarkerEvent } from '../../ingest/contract/events.ts'
import type { FoldRecord } from '../fold/record.ts'

export type Marker = { event: MarkerEvent; offset: bigint }

export type HeightSplitter = {
  /** Whole heights, up to the last marker; undefined if no height is whole. */
  push(records: readonly FoldRecord[]): { records: FoldRecord[]; marker: Marker } | undefined
  /** Number of kept records. */
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
      // No spread: a height of many records must not be copied at each read.
      for (const record of records) waiting.push(record)
      return undefined
    },
    countPending: () => waiting.length,
  }
}
