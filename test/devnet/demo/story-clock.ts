// The clock of a story: it advances with each height, whatever time this machine needs for it, and can jump ahead.
import { chance } from '../scenario/scene.ts'

export type StoryClock = {
  /** Milliseconds of the chain when a validator votes for this height. It never goes back. */
  at(height: number): number
  /** Does nothing if it is past that time. */
  jumpTo(timeMs: number): void
}

const SHORTEST_BLOCK_MS = 5_600
const LONGER_MS = 1_200

export function createStoryClock(startMs: number): StoryClock {
  let nowMs = startMs
  let highest = 0
  return {
    at(height) {
      while (highest < height) {
        highest += 1
        nowMs += SHORTEST_BLOCK_MS + Math.floor(chance('block', highest) * LONGER_MS)
      }
      return nowMs
    },
    jumpTo(timeMs) {
      nowMs = Math.max(nowMs, timeMs)
    },
  }
}
