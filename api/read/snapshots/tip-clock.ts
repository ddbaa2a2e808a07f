// Measures how long known heights wait until they are served, by the wall clock of this process.
import { createWaiting } from '../../../infra/runtime/waiting.ts'

/** A writer without progress for this time counts as stuck. */
const STUCK_MS = 30_000

export type TipClock = {
  observe(snapshot: { height: number; tip: number }): void
  /** The age of the oldest known height that is not served, and whether the served height increases. */
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
