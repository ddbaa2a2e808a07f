// Since when heights are known and not yet served, by this process's own wall clock.

/** A writer that has not moved for this long while behind is stuck. */
const STUCK_MS = 30_000
/** Beyond this many, the newest is merged: the answer then errs towards "longer". */
const MAX_NOTICES = 256

export type TipClock = {
  observe(look: { height: number; tip: number }): void
  /** How long the oldest known height has waited, and whether the served height still moves. */
  read(): { waitedMs: number; isMoving: boolean }
}

export const createTipClock = (now: () => number): TipClock => {
  const notices: { tip: number; seenMs: number }[] = []
  let knownTip = 0
  let height = 0
  let movedMs = Number.NEGATIVE_INFINITY
  return {
    observe: (look) => {
      if (look.height !== height) movedMs = now()
      height = look.height
      if (look.tip > knownTip) {
        knownTip = look.tip
        const last = notices.at(-1)
        if (last && notices.length >= MAX_NOTICES) last.tip = look.tip
        else notices.push({ tip: look.tip, seenMs: now() })
      }
      while (notices[0] && notices[0].tip <= height) notices.shift()
    },
    read: () => {
      const oldest = notices[0]
      return {
        waitedMs: oldest ? now() - oldest.seenMs : 0,
        isMoving: now() - movedMs < STUCK_MS,
      }
    },
  }
}
