// Measures how long the oldest pending position has waited, by the wall clock.

/** A height or an offset. */
type Position = number | bigint

export type Waiting = {
  /** Work is known up to `end`. */
  notice(end: Position, nowMs: number): void
  /** All up to `done` is done. */
  release(done: Position): void
  sinceMs(): number | undefined
}

/** Beyond this many, notices are merged into the last one: then the answer errs towards "longer". */
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
