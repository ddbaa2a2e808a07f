// What the terminal shows of a running machine: its address once, and the progress of a backfill.
import { type Clock, pause, systemClock } from '../../base/runtime/clock.ts'
import { createProgressMeter, progressText } from '../terminal/progress.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { ask, type HealthSummary, isFollowing } from '../tools/rollcall-client.ts'

export type WatchOptions = {
  /** The current health; undefined without data or without a response. */
  readHealth: () => Promise<HealthSummary | undefined>
  /** What ingest reads at the start of a log; undefined if it reads nothing, or does not respond. */
  readReading: () => Promise<string | undefined>
  /** True once the API runs. */
  isServing: () => boolean
  /** Called once: when caught up, or when a backfill takes longer than the grace. */
  onReady: (health: HealthSummary | undefined, reading: string | undefined) => void
  terminal: Terminal
  signal: AbortSignal
  clock?: Clock
}

const BACKFILL = { what: 'backfill: height', unit: 'heights' }
const POLL_MS = 500
/** Less often once it follows the chain: every request counts against the rate limit of the API. */
const FOLLOWING_POLL_MS = 5_000
const LINE_EVERY_MS = 5_000
/** What does not change, for example what it waits for. */
const SAME_LINE_EVERY_MS = 60_000
/** A longer backfill is served while it continues. */
const READY_GRACE_MS = 10_000

/** Ends only when aborted. */
export async function watchHealth(options: WatchOptions): Promise<void> {
  const { terminal, signal, clock = systemClock } = options
  let servingSinceMs: number | undefined
  let meter = createProgressMeter()
  let isReady = false
  let isBehind = false
  let lastLineMs = clock.now()
  let lastLine = ''

  const printLine = (text: string): void => {
    const nowMs = clock.now()
    const everyMs = text === lastLine ? SAME_LINE_EVERY_MS : LINE_EVERY_MS
    if (!terminal.rewrites && nowMs - lastLineMs < everyMs) return
    lastLineMs = nowMs
    lastLine = text
    terminal.progress(text)
  }

  while (!signal.aborted) {
    const [health, reading] = await Promise.all([options.readHealth(), options.readReading()])
    const nowMs = clock.now()
    const hasCaughtUp = health !== undefined && isFollowing(health)
    if (health && !hasCaughtUp) {
      isBehind = true
      const sample = { atMs: nowMs, done: health.height, total: health.tip }
      printLine(progressText(meter.add(sample), BACKFILL))
    } else if (reading !== undefined) printLine(reading)
    else if (health) terminal.clearProgress()
    if (hasCaughtUp) {
      if (isBehind && isReady) {
        terminal.print(`caught up with the chain at height ${health.height}`)
      }
      isBehind = false
      meter = createProgressMeter()
    }
    if (options.isServing()) servingSinceMs ??= nowMs
    const hasGrace = nowMs - (servingSinceMs ?? nowMs) < READY_GRACE_MS
    if (!isReady && (hasCaughtUp || !hasGrace)) {
      isReady = true
      options.onReady(health, reading)
    }
    await pause(isReady && hasCaughtUp ? FOLLOWING_POLL_MS : POLL_MS, signal, clock)
  }
}

const textOr = (text: unknown): string | undefined => (typeof text === 'string' ? text : undefined)

/**
 * Of the operator port of the writer; undefined without a response, or if it reads nothing. The history takes long: it is only
 * for a terminal that writes its line again.
 */
export function fetchReading(
  operatorsUrl: string,
  { signal, withHistory }: { signal: AbortSignal; withHistory: boolean },
): Promise<string | undefined> {
  type Body = { reading?: unknown; history?: { text?: unknown } }
  const read = ({ text }: { text: string }): string | undefined => {
    const { reading, history } = JSON.parse(text) as Body
    return textOr(reading) ?? (withHistory ? textOr(history?.text) : undefined)
  }
  return ask(new URL('/readyz', operatorsUrl), read, { signal })
}
