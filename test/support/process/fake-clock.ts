// A clock that a test moves: no real sleep happens, and every requested pause is recorded.
import { abortedError } from '../../../infra/base/runtime/abort.ts'
import type { Clock } from '../../../infra/base/runtime/clock.ts'

export type FakeClock = Clock & {
  readonly sleeps: readonly number[]
  /** Moves the time and wakes every sleeper that is due. */
  advance(ms: number): void
}

type Sleeper = { untilMs: number; wake: () => void }

/** `autoAdvance`: a sleep moves the clock itself and returns at once. */
export const createFakeClock = ({
  startMs = 0,
  autoAdvance = true,
}: {
  startMs?: number
  autoAdvance?: boolean
} = {}): FakeClock => {
  let nowMs = startMs
  const sleeps: number[] = []
  const sleepers = new Set<Sleeper>()
  return {
    sleeps,
    now: () => nowMs,
    advance: (ms) => {
      nowMs += ms
      for (const sleeper of sleepers) if (sleeper.untilMs <= nowMs) sleeper.wake()
    },
    sleep: async (ms, signal) => {
      if (signal?.aborted) throw abortedError(signal)
      sleeps.push(ms)
      if (autoAdvance) {
        nowMs += ms
        return
      }
      await new Promise<void>((resolve, reject) => {
        const onAbort = () => reject(abortedError(signal))
        const sleeper = {
          untilMs: nowMs + ms,
          wake: () => {
            sleepers.delete(sleeper)
            signal?.removeEventListener('abort', onAbort)
            resolve()
          },
        }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', onAbort, { once: true })
      })
    },
  }
}
