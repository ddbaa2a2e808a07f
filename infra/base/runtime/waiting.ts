// Measures how long the oldest pending position has waited, by the wall clock.

/** A height or an offset. */
type Position = number | bigint

export type Waiting = {
  /** There is work up to `end`. */
  notice(end: Position, nowMs: number): void
  /** All work up to `done` is done. */
  release(done: Position): void
  sinceMs(): number | undefined
}

/** Further notices are merged into the last one: the reported time may then be too long. */
const NOTICES = 256

export const createWaiting = (done: Position): Waiting => {
  const notices: { end: Position; sinceMs: number }[] = []
  let known = done
  return {
    notice(end, nowMs) {
      if (end <= known) return
      known = end
      const last = notices.at(-1)
      if (last && notices.length >= NOTICES) last.end = end
      else notices.push({ end, sinceMs: nowMs })
    },
    release(done) {
      if (done > known) known = done
      while (notices[0] && notices[0].end <= done) notices.shift()
    },
    sinceMs: () => notices[0]?.sinceMs,
  }
}
