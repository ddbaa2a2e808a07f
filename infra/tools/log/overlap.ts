// Compares what a file and a log both have, record by record. Reads only.

import { decodeEvent } from '../../../ingest/contract/codec.ts'
import type { EventLog, LogRecord } from '../../log/event-log.ts'
import { recordsBetween } from '../../log/records-between.ts'
import type { WholeHeight } from './whole-heights.ts'

async function* recordsFrom(log: EventLog, from: bigint): AsyncGenerator<LogRecord> {
  for await (const batch of recordsBetween(log, { from })) yield* batch
}

const describeRecord = (value: Uint8Array): string => {
  const decoded = decodeEvent(value)
  return (decoded.ok ? decoded.event.id : decoded.envelope?.id) ?? 'a record without id'
}

export type Overlap = {
  /** Why the log has something else at this height; undefined where it has the same bytes. */
  differs(height: WholeHeight): Promise<string | undefined>
}

/** Heights must come in order, the first one being that whose records begin at `from`. */
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
