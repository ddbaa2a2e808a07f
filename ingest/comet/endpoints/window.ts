// Which heights an endpoint has: no longer, because it prunes, or not yet, because the nodes behind its URL are not equally far.
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../infra/base/runtime/clock.ts'

export type Window = {
  /** True if the endpoint refused this height, or a higher one, since it served such a height. */
  lacks(height: number): boolean
  /**
   * True if the endpoint refused this height: it stays said, whatever becomes of the endpoint later, until it serves this height or a
   * lower one.
   */
  hasRefused(height: number): boolean
  /** True if that refusal was repeated and never contradicted. */
  isProved(height: number): boolean
  /** True if nodes with different windows answer. */
  isMixed(): boolean
  /**
   * The lowest height that it keeps: what it claims, else as far below its tip as the lowest height that it served. Never one
   * that it refused. Null while unknown. `tip` and `claimed` are 0 while unknown.
   */
  earliest(now: { tip: number; claimed?: number }): number | null
  /** `tip`: the height of the endpoint; 0 while unknown. */
  served(height: number, tip: number): void
  refused(height: number, tip: number): void
}

/** A URL may have many nodes behind it, so one refusal says little: so many in a row move the bound. */
const REPEATED = 3
const MAX_REMEMBERED = 1_000

export function createWindow(): Window {
  const said = new LRUCache<number, true>({ max: MAX_REMEMBERED })
  let goneUpTo = 0
  let suspected = 0
  let refusals = 0
  let mixed = false
  /** How far below the tip the lowest served height was. */
  let depth: number | null = null
  const lacks = (height: number) => height <= Math.max(goneUpTo, suspected)
  return {
    lacks,
    hasRefused: (height) => said.has(height) || lacks(height),
    isProved: (height) => !mixed && height <= goneUpTo,
    isMixed: () => mixed,
    earliest: ({ tip, claimed = 0 }) => {
      const found = depth === null || tip === 0 ? 0 : Math.max(1, tip - depth)
      const lowest = claimed || found
      return lowest === 0 ? null : Math.max(goneUpTo + 1, lowest)
    },
    served: (height, tip) => {
      if (tip > 0) depth = Math.max(depth ?? 0, tip - height)
      for (const each of [...said.keys()]) if (each >= height) said.delete(each)
      if (!lacks(height)) return
      mixed = true
      goneUpTo = Math.min(goneUpTo, height - 1)
      suspected = 0
      refusals = 0
    },
    refused: (height, tip) => {
      said.set(height, true)
      if (height <= goneUpTo) return
      suspected = refusals === 0 ? height : Math.min(suspected, height)
      refusals++
      if (refusals < REPEATED) return
      goneUpTo = suspected
      if (depth !== null) depth = Math.max(0, Math.min(depth, tip - goneUpTo - 1))
      suspected = 0
      refusals = 0
    },
  }
}

/** How much later the last node behind a URL has a height than the first one. */
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

export function createLag(clock: Clock, signal: AbortSignal): Lag {
  /** When the URL first had its latest heights, in order. */
  let seen: { height: number; atMs: number }[] = []
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

/**
 * The lowest height in the range that is kept; null if `to` is not. Bisects the distance from `to` on a logarithmic
 * scale: a window of 100 heights takes about 10 requests, one of millions about 25.
 */
export async function findLowestKept(
  { from, to }: { from: number; to: number },
  isKept: (height: number) => Promise<boolean>,
): Promise<number | null> {
  if (!(await isKept(to))) return null
  if (from >= to || (await isKept(from))) return Math.min(from, to)
  // Distances from `to`, plus one.
  let kept = 1
  let missing = to - from + 1
  while (missing - kept > 1) {
    const middle = Math.min(missing - 1, Math.max(kept + 1, Math.round(Math.sqrt(kept * missing))))
    if (await isKept(to - middle + 1)) kept = middle
    else missing = middle
  }
  return to - kept + 1
}
