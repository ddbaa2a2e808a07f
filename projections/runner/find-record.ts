// Finds the record of the log for a row that cannot be stored, so that its dead letter can name it.
import type { LogRecord } from '../../infra/base/log/event-log.ts'
import { recordsBetween } from '../../infra/base/log/records-between.ts'
import { toHeight } from '../../ingest/contract/envelope.ts'
import { readRecord } from '../fold/record.ts'
import type { ReadableLog } from './retried-log.ts'

export type RecordFinder = (position: bigint) => Promise<LogRecord | undefined>

/** The record at exactly this position; undefined if the log has none there. */
export const createRecordFinder =
  (log: Pick<ReadableLog, 'read' | 'offsetOfHeight'>): RecordFinder =>
  async (position) => {
    const height = toHeight(position)
    for await (const records of recordsBetween(log, { from: await log.offsetOfHeight(height) })) {
      for (const record of records) {
        if (record.height > height) return undefined
        if (readRecord(record).at?.value === position) return record
      }
    }
    return undefined
  }
