// Limits repeated log lines: writes the first at once, and counts those that follow within a minute in one more line.
import { LRUCache } from 'lru-cache'
import type { Logger } from './logger.ts'

export type Repeated = {
  /** Two lines with the same key are the same warning. */
  key: string
  fields: Record<string, unknown>
  message: string
}

/** Both return whether the line was written at once. */
export type RepeatedWarnings = {
  warn(line: Repeated): boolean
  error(line: Repeated): boolean
}

type Window = { level: 'warn' | 'error'; latest: Repeated; suppressed: number }

const INTERVAL_MS = 60_000
/** Keys may contain foreign text: with more keys at the same time, a window ends early. */
const MAX_KEYS = 1_000

const createRepeatedWarnings = (logger: Logger): RepeatedWarnings => {
  const windows = new LRUCache<string, Window>({
    max: MAX_KEYS,
    ttl: INTERVAL_MS,
    ttlAutopurge: true,
    dispose: ({ level, latest, suppressed }) => {
      if (suppressed === 0) return
      const fields = { ...latest.fields, repeated: suppressed, withinSeconds: INTERVAL_MS / 1_000 }
      logger[level](fields, latest.message)
    },
  })
  const report = (level: Window['level'], line: Repeated): boolean => {
    const open = windows.get(line.key)
    if (open) {
      open.latest = line
      open.suppressed++
      return false
    }
    windows.set(line.key, { level, latest: line, suppressed: 0 })
    logger[level](line.fields, line.message)
    return true
  }
  return {
    warn: (line) => report('warn', line),
    error: (line) => report('error', line),
  }
}

const shared = new WeakMap<Logger, RepeatedWarnings>()

/** One instance per logger, so that the same warning from two modules counts as one. */
export const getRepeatedWarnings = (logger: Logger): RepeatedWarnings => {
  const known = shared.get(logger) ?? createRepeatedWarnings(logger)
  shared.set(logger, known)
  return known
}
