// What is known of the chain's tip: a status poll is the record, wake-ups are hints that save the wait.
import type { Clock } from '../../infra/runtime/clock.ts'
import { AppError, hasCode } from '../../infra/runtime/errors.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import type { ChainNode } from '../comet/node.ts'
import type { WakeUp } from '../comet/wake-up.ts'

export type TipOptions = {
  node: ChainNode
  wakeUp: WakeUp | undefined
  pollMs: number
  clock: Clock
  log: Logger
  onTip: (tip: number) => void
  signal: AbortSignal
}

export type Tip = {
  readonly height: number
  /** Resolves when the chain is known to have `height`; rejects with `ABORTED`. */
  reach(height: number): Promise<void>
}

/** A hint further ahead than this is not believed before a status poll says so too. */
const BELIEVED_LEAP = 64

const ignoreAborted = (error: unknown) => {
  if (!hasCode(error, 'ABORTED')) throw error
}

export const followTip = (options: TipOptions): Tip => {
  const { node, wakeUp, pollMs, clock, log, signal } = options
  let height = 0
  let wake: (() => void) | undefined
  let failing = false

  const raise = (seen: number) => {
    if (seen <= height) return
    height = seen
    options.onTip(height)
    wake?.()
  }
  const poll = async () => {
    while (!signal.aborted) {
      try {
        raise((await node.status()).latestHeight)
        if (failing) log.info({ tip: height }, 'status poll recovered')
        failing = false
      } catch (error) {
        if (signal.aborted || hasCode(error, 'ABORTED')) return
        if (!failing) log.error({ error }, 'status poll failed')
        failing = true
      }
      await clock.sleep(pollMs, signal).catch(ignoreAborted)
    }
  }
  const onHint = (seen: number) => {
    if (height > 0 && seen <= height + BELIEVED_LEAP) raise(seen)
  }
  const reach = (wanted: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const settle = () => {
        if (!signal.aborted && height < wanted) return
        signal.removeEventListener('abort', settle)
        wake = undefined
        if (signal.aborted) reject(new AppError('ABORTED', 'aborted'))
        else resolve()
      }
      wake = settle
      signal.addEventListener('abort', settle)
      settle()
    })
  // Both end with the signal and neither throws but by a bug, which must not pass in silence.
  Promise.all([poll(), wakeUp?.follow(onHint, signal)]).catch((error: unknown) => {
    log.fatal({ error }, 'following the tip failed')
  })
  return {
    get height() {
      return height
    },
    reach,
  }
}
