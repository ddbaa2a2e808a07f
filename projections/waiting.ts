// Remembers since when, by the wall clock, the oldest record that is known and not yet projected waits.

export type Waiting = {
  /** The log was seen to reach up to `end`. */
  notice(end: bigint, nowMs: number): void
  /** All before `nextOffset` is projected. */
  release(nextOffset: bigint): void
  sinceMs(): number | undefined
}

/** Beyond this many, notices are merged into the last one: then the answer errs towards "longer". */
const NOTICES = 256

export const createWaiting = (projected: bigint): Waiting => {
  const notices: { end: bigint; sinceMs: number }[] = []
  let known = projected
  return {
    notice(end, nowMs) {
      if (end <= known) return
      known = end
      const last = notices.at(-1)
      if (last && notices.length >= NOTICES) last.end = end
      else notices.push({ end, sinceMs: nowMs })
    },
    release(nextOffset) {
      if (nextOffset > known) known = nextOffset
      while (notices[0] && notices[0].end <= nextOffset) notices.shift()
    },
    sinceMs: () => notices[0]?.sinceMs,
  }
}
