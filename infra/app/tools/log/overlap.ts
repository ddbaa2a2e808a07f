// Compares the common heights of a file and a log, record by record. Read-only.

import { decodeEvent } from '../../../../ingest/contract/codec.ts'
import type { EventLog, LogRecord } from '../../../base/log/event-log.ts'
import { recordsBetween } from '../../../base/log/records-between.ts'
import type { WholeHeight } from './whole-heights.ts'

async function* recordsFrom(log: EventLog, from: bigint): AsyncGenerator<LogRecord> {
  for await (const batch of recordsBetween(log, { from })) yield* batch
}

const describeRecord = (value: Uint8Array): string => {
  const decoded = decodeEvent(value)
  return (decoded.ok ? decoded.event.id : decoded.envelope?.id) ?? 'a record without id'
}

export type Overlap = {
  /** The difference of the log at this height; undefined if it has the same bytes. */
  differs(height: WholeHeight): Promise<string | undefined>
}

/** Heights must come in order. The records of the first one start at `from`. */
export const createOverlap = (log: EventLog, from: bigint): Overlap => {
  const records = recordsFrom(log, from)
  return {
    differs: async ({ entries }) => {
      for (const { height, timeMs, value } of entries) {
        const { value: record, done } = await records.next()
        if (done) return `the log ends before ${describeRecord(value)}`
        const isSame =
          record.height === height &&
          record.timeMs === timeMs &&
          Buffer.compare(record.value, value) === 0
        if (isSame) continue
        const [inLog, inFile] = [describeRecord(record.value), describeRecord(value)]
        return inLog === inFile
          ? `they have other bytes of ${inFile}`
          : `the log has ${inLog} at offset ${record.offset}, the file ${inFile}`
      }
      return undefined
    },
  }
}
