// Entries of a log as tests write them, and all records as they read them.
import type { EventLog, LogEntry, LogRecord } from '../../../infra/base/log/event-log.ts'

export const createEntry = (height: number, text = `event at ${height}`): LogEntry => ({
  height,
  timeMs: 1_700_000_000_000 + height * 6000,
  value: new TextEncoder().encode(text),
})

export const decodeText = ({ value }: LogEntry): string => new TextDecoder().decode(value)

/** Every record from `from`, read in small steps. */
export const readAll = async (log: EventLog, from = 0n): Promise<LogRecord[]> => {
  const all: LogRecord[] = []
  for (let next = from; ; ) {
    const records = await log.read(next, { maxRecords: 7, maxBytes: 1_000_000 })
    const last = records.at(-1)
    if (!last) return all
    all.push(...records)
    next = last.offset + 1n
  }
}
