// Watches the API from outside: prints its address once, and the progress of a backfill.
import { type Clock, pause, systemClock } from '../../runtime/clock.ts'
import { createProgressMeter, progressText, type Sample } from '../terminal/progress.ts'
import type { Terminal } from '../terminal/terminal.ts'

export type HealthSummary = { chainId: string; height: number; tip: number }

export type WatchOptions = {
  /** The current health; undefined without data or without a response. */
  readHealth: () => Promise<HealthSummary | undefined>
  /** True once the API runs. */
  isServing: () => boolean
  /** Called once: when caught up, or when a backfill takes longer than the grace. */
  onReady: (health: HealthSummary | undefined) => Promise<void> | void
  terminal: Terminal
  signal: AbortSignal
  clock?: Clock
}

const BACKFILL = { what: 'backfill: height', unit: 'heights' }
const POLL_MS = 500
/** Less often once it follows the chain: every request counts against the rate limit of the API. */
const FOLLOWING_POLL_MS = 5_000
const LINE_EVERY_MS = 5_000
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

  const printProgress = (sample: Sample): void => {
    isBehind = true
    const progress = meter.add(sample)
    const isDue = terminal.rewrites || sample.atMs - lastLineMs >= LINE_EVERY_MS
    if (!isDue) return
    lastLineMs = sample.atMs
    terminal.progress(progressText(progress, BACKFILL))
  }
  const printCaughtUp = ({ height }: HealthSummary): void => {
    terminal.clearProgress()
    if (isBehind && isReady) terminal.print(`caught up with the chain at height ${height}`)
    isBehind = false
    meter = createProgressMeter()
  }

  while (!signal.aborted) {
    const health = await options.readHealth()
    const nowMs = clock.now()
    if (health && isFollowing(health)) printCaughtUp(health)
    else if (health) printProgress({ atMs: nowMs, done: health.height, total: health.tip })
    const hasCaughtUp = health !== undefined && isFollowing(health)
    if (servingSinceMs === undefined && options.isServing()) servingSinceMs = nowMs
    const hasGrace = nowMs - (servingSinceMs ?? nowMs) < READY_GRACE_MS
    if (!isReady && (hasCaughtUp || !hasGrace)) {
      isReady = true
      await options.onReady(health)
    }
    const pauseMs = isReady && hasCaughtUp ? FOLLOWING_POLL_MS : POLL_MS
    await pause(pauseMs, signal, clock)
  }
}

/** Reads `/api/health`; undefined without a response or without indexed data. */
export const fetchHealth = async (
  apiUrl: string,
  signal: AbortSignal,
): Promise<HealthSummary | undefined> => {
  try {
    const response = await fetch(new URL('/api/health', apiUrl), {
      signal: AbortSignal.any([signal, AbortSignal.timeout(2_000)]),
    })
    const { chain, tip } = (await response.json()) as {
      chain?: { chainId: string; height: number } | null
      tip?: number | null
    }
    if (!chain) return undefined
    return { chainId: chain.chainId, height: chain.height, tip: tip ?? chain.height }
  } catch {
    return undefined
  }
}
