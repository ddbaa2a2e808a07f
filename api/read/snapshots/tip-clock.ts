// Measures, by the wall clock of this process: how long known heights wait until they are served, and whether the tip is known.
import { createWaiting } from '../../../infra/base/runtime/waiting.ts'

/** A writer without progress for this time counts as stuck. */
const STUCK_MS = 30_000
/** How many times the longest recent block interval a chain may take for a block. */
const INTERVALS = 3
const KEPT_INTERVALS = 50
/** So few intervals say nothing about the next one. */
const MIN_INTERVALS = 10
/** How long the last tip counts as that of the chain, without a new height. */
const TIP_VALID_MS = { least: 10_000, most: 120_000 }

type Observed = { height: number; tip: number; timeMs: number }

export type TipClock = {
  observe(snapshot: Observed): void
  read(): {
    /** The age of the oldest known height that is not served. */
    waitedMs: number
    /** The served height increases. */
    isMoving: boolean
    /** The last tip counts as that of the chain. Without new heights the chain may have halted, or have any number of them. */
    isTipKnown: boolean
  }
}

/** How long a chain of these blocks may be silent. */
const createSilenceLimit = () => {
  const intervals: number[] = []
  return {
    add: (intervalMs: number) => {
      intervals.push(intervalMs)
      if (intervals.length > KEPT_INTERVALS) intervals.shift()
    },
    readMs: (): number => {
      const { least, most } = TIP_VALID_MS
      if (intervals.length < MIN_INTERVALS) return most
      return Math.min(most, Math.max(least, INTERVALS * Math.max(...intervals)))
    },
  }
}

export const createTipClock = (now: () => number): TipClock => {
  const waiting = createWaiting(0)
  const silence = createSilenceLimit()
  let last: Observed | undefined
  let movedMs = Number.NEGATIVE_INFINITY
  /** When the tip was that of the chain. */
  let confirmedMs = Number.NEGATIVE_INFINITY

  const confirm = (snapshot: Observed): void => {
    const isNew = !last || snapshot.height !== last.height || snapshot.tip !== last.tip
    if (!isNew) return
    // What the process finds at its start may be old.
    confirmedMs = last || snapshot.height < snapshot.tip ? now() : Math.min(now(), snapshot.timeMs)
    const heights = last ? snapshot.height - last.height : 0
    if (last && heights > 0) {
      // The demo chain has recorded times, and its own pace.
      const elapsedMs = Math.max(snapshot.timeMs - last.timeMs, now() - movedMs)
      silence.add(elapsedMs / heights)
    }
  }
  return {
    observe: (snapshot) => {
      confirm(snapshot)
      if (snapshot.height !== last?.height) movedMs = now()
      last = snapshot
      waiting.notice(snapshot.tip, now())
      waiting.release(snapshot.height)
    },
    read: () => {
      // A height that waits was reported; it is served late if its writer is slow.
      const isBehind = last !== undefined && last.height < last.tip
      const validMs = isBehind ? TIP_VALID_MS.most : silence.readMs()
      return {
        waitedMs: now() - (waiting.sinceMs() ?? now()),
        isMoving: now() - movedMs < STUCK_MS,
        isTipKnown: now() - confirmedMs <= validMs,
      }
    },
  }
}
