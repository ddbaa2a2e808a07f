// What the terminal shows of a running machine: its address once, and the progress of a backfill.
import { type Clock, pause, systemClock } from '../../base/runtime/clock.ts'
import {
  createProgressMeter,
  createStage,
  grouped,
  progressText,
  type Stage,
} from '../terminal/progress.ts'
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
  const meter = createProgressMeter()
  let servingSinceMs: number | undefined
  let isReady = false
  let last = { text: '', atMs: clock.now() }
  let stage: (Stage & { from: number }) | undefined

  while (!signal.aborted) {
    const [health, reading] = await Promise.all([options.readHealth(), options.readReading()])
    const nowMs = clock.now()
    const hasCaughtUp = health !== undefined && isFollowing(health)
    const text =
      health && !hasCaughtUp
        ? progressText(meter.add({ atMs: nowMs, done: health.height, total: health.tip }), BACKFILL)
        : reading
    const everyMs = text === last.text ? SAME_LINE_EVERY_MS : LINE_EVERY_MS
    if (health && terminal.rewrites && !hasCaughtUp) {
      stage ??= { ...createStage(terminal, 'backfill', () => clock.now()), from: health.height }
      stage.show(health.height, health.tip)
    } else if (health && stage) {
      stage.end(`${grouped(health.height - stage.from)} heights`)
      stage = undefined
    } else if (text === undefined) {
      if (options.isServing()) terminal.clearProgress()
    } else if (terminal.rewrites || nowMs - last.atMs >= everyMs) {
      last = { text, atMs: nowMs }
      terminal.progress(text)
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

/**
 * Of the operator port of the writer; undefined without a response, or if it reads nothing. The history takes long: it is only
 * for a terminal that writes its line again.
 */
export function fetchReading(
  operatorsUrl: string,
  { signal, withHistory }: { signal: AbortSignal; withHistory: boolean },
): Promise<string | undefined> {
  type Body = { reading?: string; history?: { text: string | null } }
  const read = ({ text }: { text: string }): string | undefined => {
    const { reading, history } = JSON.parse(text) as Body
    return reading ?? ((withHistory && history?.text) || undefined)
  }
  return ask(new URL('/readyz', operatorsUrl), read, { signal })
}
