// Repeats the work of a command at an interval until it is aborted.
import { pause } from '../../base/runtime/clock.ts'
import { hasCode } from '../../base/runtime/errors.ts'

/** Resolves once the signal fires; interrupted work is not a failure. */
export const repeatEvery = async (
  everyMs: number,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> => {
  try {
    while (!signal.aborted) {
      await work()
      await pause(everyMs, signal)
    }
  } catch (error) {
    if (!(signal.aborted && hasCode(error, 'ABORTED'))) throw error
  }
}
