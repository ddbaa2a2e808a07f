// Decides how many heights are fetched at the same time. After a timeout it is one at a time, the lowest first, until each height
// that timed out was fetched. Many large responses that share a slow connection must not time out together again.
import { unlessAborted } from '../../infra/base/runtime/abort.ts'
import { AppError } from '../../infra/base/runtime/errors.ts'
import { isTimeout } from '../comet/endpoints/ask-endpoints.ts'

export type FetchPace = {
  /** Waits for its turn, which counts in no deadline. */
  run<T>(height: number, fetch: () => Promise<T>): Promise<T>
}

type Waiting = { height: number; begin: () => void }

export const createFetchPace = (signal: AbortSignal): FetchPace => {
  /** In order of height. */
  const waiting: Waiting[] = []
  const timedOut = new Set<number>()
  let running = 0

  const wake = () => {
    while (waiting.length > 0 && (timedOut.size === 0 || running === 0)) {
      running++
      waiting.shift()!.begin()
    }
  }
  const waitForTurn = (height: number) =>
    new Promise<void>((begin) => {
      const later = waiting.findIndex((each) => each.height > height)
      waiting.splice(later === -1 ? waiting.length : later, 0, { height, begin })
      wake()
    })
  return {
    run: async (height, fetch) => {
      await unlessAborted(waitForTurn(height), signal)
      try {
        const fetched = await fetch()
        timedOut.delete(height)
        return fetched
      } catch (error) {
        if (error instanceof AppError && isTimeout(error)) timedOut.add(height)
        throw error
      } finally {
        running--
        wake()
      }
    },
  }
}
