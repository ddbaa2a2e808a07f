// Watches the API from outside: prints its address once, and the progress of a backfill.
import { type Clock, pause, systemClock } from '../../base/runtime/clock.ts'
import { createProgressMeter, progressText, type Sample } from '../terminal/progress.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { ask } from './ask.ts'

export type HealthSummary = { chainId: string; height: number; tip: number }

export type WatchOptions = {
  /** The current health; undefined without data or without a response. */
  readHealth: () => Promise<HealthSummary | undefined>
  /** What ingest reads at the start of a log; undefined if it reads nothing, or does not respond. */
  readReading: () => Promise<string | undefined>
  /** True once the API runs. */
  isServing: () => boolean
  /** Called once: when caught up, or when a backfill takes longer than the grace. */
  onReady: (health: HealthSummary | undefined, reading: string | undefined) => Promise<void> | void
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
/** A lag below this number of heights counts as caught up. */
const FOLLOWING_HEIGHTS = 5

export const isFollowing = ({ height, tip }: HealthSummary): boolean =>
  tip - height < FOLLOWING_HEIGHTS

/** Ends only when aborted. */
export const watchHealth = async (options: WatchOptions): Promise<void> => {
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
  const printProgress = (sample: Sample): void => {
    isBehind = true
    printLine(progressText(meter.add(sample), BACKFILL))
  }
  const printCaughtUp = ({ height }: HealthSummary, reading: string | undefined): void => {
    if (reading === undefined) terminal.clearProgress()
    else printLine(reading)
    if (isBehind && isReady) terminal.print(`caught up with the chain at height ${height}`)
    isBehind = false
    meter = createProgressMeter()
  }

  while (!signal.aborted) {
    const [health, reading] = await Promise.all([options.readHealth(), options.readReading()])
    const nowMs = clock.now()
    if (health && isFollowing(health)) printCaughtUp(health, reading)
    else if (health) printProgress({ atMs: nowMs, done: health.height, total: health.tip })
    else if (reading !== undefined) printLine(reading)
    const hasCaughtUp = health !== undefined && isFollowing(health)
    if (servingSinceMs === undefined && options.isServing()) servingSinceMs = nowMs
    const hasGrace = nowMs - (servingSinceMs ?? nowMs) < READY_GRACE_MS
    if (!isReady && (hasCaughtUp || !hasGrace)) {
      isReady = true
      await options.onReady(health, reading)
    }
    const pauseMs = isReady && hasCaughtUp ? FOLLOWING_POLL_MS : POLL_MS
    await pause(pauseMs, signal, clock)
  }
}

type HealthBody = { chain?: { chainId: string; height: number } | null; tip?: number | null }

/** Reads `/api/health`; undefined without a response or without indexed data. */
export const fetchHealth = async (
  apiUrl: string,
  signal: AbortSignal,
): Promise<HealthSummary | undefined> => {
  const read = async (response: Response) => (await response.json()) as HealthBody
  const { chain, tip } = (await ask(new URL('/api/health', apiUrl), read, signal)) ?? {}
  return chain ? { ...chain, tip: tip ?? chain.height } : undefined
}

const textOr = (text: unknown): string | undefined => (typeof text === 'string' ? text : undefined)

/**
 * Of the operator port of the writer; undefined without a response, or if it reads nothing. The history takes long: it is only
 * for a terminal that writes its line again.
 */
export const fetchReading = (
  operatorsUrl: string,
  { signal, withHistory }: { signal: AbortSignal; withHistory: boolean },
): Promise<string | undefined> => {
  const read = async (response: Response): Promise<string | undefined> => {
    const { reading, history } = (await response.json()) as {
      reading?: unknown
      history?: { text?: unknown }
    }
    return textOr(reading) ?? (withHistory ? textOr(history?.text) : undefined)
  }
  return ask(new URL('/readyz', operatorsUrl), read, signal)
}
