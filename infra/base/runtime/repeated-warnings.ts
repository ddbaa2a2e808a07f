// Limits repeated log lines: writes the first at once, then one line per interval with their number.
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

export type RepeatedWarningsOptions = { logger: Logger; intervalMs?: number; maxKeys?: number }

type Window = {
  level: 'warn' | 'error'
  latest: Repeated
  suppressed: number
  timer: NodeJS.Timeout
}

const INTERVAL_MS = 60_000
/** Keys may contain foreign text: with more keys at the same time, the oldest window ends early. */
const MAX_KEYS = 1_000

export const createRepeatedWarnings = ({
  logger,
  intervalMs = INTERVAL_MS,
  maxKeys = MAX_KEYS,
}: RepeatedWarningsOptions): RepeatedWarnings => {
  const windows = new Map<string, Window>()

  const summarize = ({ level, latest, suppressed }: Window) =>
    logger[level](
      { ...latest.fields, repeated: suppressed, withinSeconds: intervalMs / 1000 },
      latest.message,
    )
  const end = (key: string, window: Window) => {
    windows.delete(key)
    clearInterval(window.timer)
  }
  const onInterval = (key: string) => {
    const window = windows.get(key)
    if (!window) return
    if (window.suppressed === 0) return end(key, window)
    summarize(window)
    window.suppressed = 0
  }
  const evictOldest = () => {
    if (windows.size < maxKeys) return
    for (const [key, window] of windows) {
      if (window.suppressed > 0) summarize(window)
      return end(key, window)
    }
  }
  const report = (level: Window['level'], line: Repeated): boolean => {
    const { key } = line
    const open = windows.get(key)
    if (open) {
      open.latest = line
      open.suppressed++
      return false
    }
    evictOldest()
    // A pending summary does not keep the process alive.
    const timer = setInterval(() => onInterval(key), intervalMs).unref()
    windows.set(key, { level, latest: line, suppressed: 0, timer })
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
  const known = shared.get(logger) ?? createRepeatedWarnings({ logger })
  shared.set(logger, known)
  return known
}
