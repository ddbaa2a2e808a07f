// How much later the last node behind a URL has a height than the first one. A URL of which one node lacked a height is asked for
// that height again when all of its nodes probably have it.
import type { Clock } from '../../../infra/base/runtime/clock.ts'

export type Lag = {
  /** A node has this height. */
  saw(height: number): void
  /** A node does not have this height yet. */
  missed(height: number): void
  /** How long until all nodes probably have this height; 0 if none lacked it. */
  waitMs(height: number): number
  /** Waits so long. */
  untilLikely(height: number): Promise<void>
}

/** Nodes that are further behind are not waited for: another one may respond. */
const MAX_LAG_MS = 2_000
/** The estimate is longer than the latest time at which a node lacked a height, and shorter after each new height. */
const MARGIN = 1.25
const DECAY = 0.99
const KEPT_HEIGHTS = 64
/** A higher height than those of the last minute may never have existed. */
const FORGOTTEN_MS = 60_000

type Seen = { height: number; atMs: number }

export const createLag = (clock: Clock, signal: AbortSignal): Lag => {
  /** When the URL first had its latest heights, in order. */
  let seen: Seen[] = []
  const lacking = new Set<number>()
  let lagMs = 0

  const ageOf = (height: number): number | undefined => {
    const first = seen.find((each) => each.height >= height)
    return first && clock.now() - first.atMs
  }
  const waitMs = (height: number): number => {
    const ageMs = lacking.has(height) ? ageOf(height) : undefined
    return ageMs === undefined ? 0 : Math.max(0, lagMs - ageMs)
  }
  return {
    saw: (height) => {
      const last = seen.at(-1)
      if (last && height <= last.height) {
        if (clock.now() - last.atMs < FORGOTTEN_MS) return
        seen = []
      }
      seen = [...seen.slice(1 - KEPT_HEIGHTS), { height, atMs: clock.now() }]
      lagMs *= DECAY
    },
    missed: (height) => {
      const ageMs = ageOf(height)
      if (ageMs === undefined || ageMs > MAX_LAG_MS) return
      lagMs = Math.min(MAX_LAG_MS, Math.max(lagMs, ageMs * MARGIN))
      lacking.add(height)
      const [oldest = height] = lacking
      if (lacking.size > KEPT_HEIGHTS) lacking.delete(oldest)
    },
    waitMs,
    untilLikely: async (height) => {
      const ms = waitMs(height)
      if (ms > 0) await clock.sleep(ms, signal)
    },
  }
}
