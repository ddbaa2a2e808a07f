// Writes heights to a log by the rules of its interface, also during faults of the brokers, and checks the log.
import { setTimeout as pause } from 'node:timers/promises'
import type { EventLog, LogEntry } from '../../../infra/base/log/event-log.ts'
import { hasCode } from '../../../infra/base/runtime/errors.ts'
import { createEntry, readAll } from '../log/log-entries.ts'

export type HeightShape = { entries: number; bytes: number }

export const SMALL: HeightShape = { entries: 3, bytes: 200 }
/** Several sends, so that a fault can occur between two of them. */
export const LARGE: HeightShape = { entries: 220, bytes: 8 * 1024 }

const formatEntryText = (height: number, index: number): string => `${height}/${index}/`

export const createEntries = (height: number, { entries, bytes }: HeightShape): LogEntry[] =>
  Array.from({ length: entries }, (_, index) =>
    createEntry(height, formatEntryText(height, index).padEnd(bytes, 'x')),
  )

const RETRY_MS = 200

/** Repeats until the height is in the log once; true if an outcome was unknown. Throws all errors except `LOG_UNAVAILABLE`. */
export const appendWithRetries = async (
  log: EventLog,
  height: number,
  shape: HeightShape = SMALL,
): Promise<boolean> => {
  for (let isUncertain = false; ; ) {
    try {
      const isThere = isUncertain && (await log.last())?.height === height
      if (!isThere) await log.append(createEntries(height, shape))
      return isUncertain
    } catch (error) {
      if (!hasCode(error, 'LOG_UNAVAILABLE')) throw error
      isUncertain = true
      await pause(RETRY_MS)
    }
  }
}

/** Appends one height after the other from the end of the log until it is stopped; returns the last one. */
export const appendWhile = async (
  log: EventLog,
  shouldContinue: () => boolean,
  options: {
    shape?: HeightShape
    /** `wasUncertain`: the outcome of an attempt was unknown. */
    onAppended?: (height: number, wasUncertain: boolean) => void
  } = {},
): Promise<number> => {
  let height = (await log.last())?.height ?? 0
  while (shouldContinue()) {
    const wasUncertain = await appendWithRetries(log, height + 1, options.shape)
    height += 1
    options.onAppended?.(height, wasUncertain)
  }
  return height
}

/** Problems of a log that should contain the heights 1 to `heights`, each complete, once and in order. */
export const findHeightFaults = async (
  log: EventLog,
  heights: number,
  { entries }: HeightShape = SMALL,
): Promise<string[]> => {
  const found = (await readAll(log)).map(({ value }) =>
    Buffer.from(value).toString('latin1', 0, 20).split('/', 2).join('/'),
  )
  const expected = Array.from({ length: heights * entries }, (_, at) =>
    formatEntryText(Math.floor(at / entries) + 1, at % entries).slice(0, -1),
  )
  const faults = found.length === expected.length ? [] : [`${found.length} of ${expected.length}`]
  const at = expected.findIndex((each, index) => found[index] !== each)
  return at < 0 ? faults : [...faults, `${found[at]} instead of ${expected[at]} at ${at}`]
}
