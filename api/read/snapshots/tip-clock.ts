// Since when heights are known and not yet served, by this process's own wall clock.
import { createWaiting } from '../../../infra/runtime/waiting.ts'

/** A writer that has not moved for this long while behind is stuck. */
const STUCK_MS = 30_000

export type TipClock = {
  observe(snapshot: { height: number; tip: number }): void
  /** How long the oldest known height has waited, and whether the served height still moves. */
  read(): { waitedMs: number; isMoving: boolean }
}

export const createTipClock = (now: () => number): TipClock => {
  const waiting = createWaiting(0)
  let height = 0
  let movedMs = Number.NEGATIVE_INFINITY
  return {
    observe: (snapshot) => {
      if (snapshot.height !== height) movedMs = now()
      height = snapshot.height
      waiting.notice(snapshot.tip, now())
      waiting.release(height)
    },
    read: () => ({
      waitedMs: now() - (waiting.sinceMs() ?? now()),
      isMoving: now() - movedMs < STUCK_MS,
    }),
  }
}
