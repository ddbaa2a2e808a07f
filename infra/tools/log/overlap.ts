// Compares what a file and a log both have, record by record. Reads only.

import { decodeEvent } from '../../../ingest/contract/codec.ts'
import type { EventLog, LogRecord } from '../../log/event-log.ts'
import type { WholeHeight } from './whole-heights.ts'

const LIMITS = { maxRecords: 1_000, maxBytes: 4 * 2 ** 20 }

/** The log's records one by one from an offset on. */
const createCursor = (log: EventLog, from: bigint) => {
  let offset = from
  let batch: readonly LogRecord[] = []
  let at = 0
  return async (): Promise<LogRecord | undefined> => {
    if (at === batch.length) {
      batch = await log.read(offset, LIMITS)
      at = 0
    }
    const record = batch[at++]
    if (record) offset = record.offset + 1n
    return record
  }
}

const nameOf = (value: Uint8Array): string => {
  const decoded = decodeEvent(value)
  return (decoded.ok ? decoded.event.id : decoded.envelope?.id) ?? 'a record without id'
}

export type Overlap = {
  /** Why the log has something else at this height; undefined where it has the same bytes. */
  differs(height: WholeHeight): Promise<string | undefined>
}

/** Heights must come in order, the first one being that whose records begin at `from`. */
export const createOverlap = (log: EventLog, from: bigint): Overlap => {
  const next = createCursor(log, from)
  return {
    differs: async ({ entries }) => {
      for (const { height, timeMs, value } of entries) {
        const record = await next()
        if (!record) return `the log ends before ${nameOf(value)}`
        const isSame =
          record.height === height &&
          record.timeMs === timeMs &&
          Buffer.compare(record.value, value) === 0
        if (isSame) continue
        const [inLog, inFile] = [nameOf(record.value), nameOf(value)]
        return inLog === inFile
          ? `they have other bytes of ${inFile}`
          : `the log has ${inLog} at offset ${record.offset}, the file ${inFile}`
      }
      return undefined
    },
  }
}
