// Tracks the tip of the chain: status polls confirm it, wake-ups are hints that end a wait early.
import { abortedError, onAbort } from '../../infra/runtime/abort.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { policies } from '../../infra/runtime/policies.ts'
import { supervise } from '../../infra/runtime/supervise.ts'
import type { ChainNode } from '../comet/node.ts'
import type { WakeUp } from '../comet/wake-up.ts'

export type TipOptions = {
  node: ChainNode
  wakeUp: WakeUp | undefined
  pollMs: number
  clock: Clock
  logger: Logger
  onTip: (tip: number) => void
  signal: AbortSignal
}

export type Tip = {
  readonly height: number
  /** Resolves when the chain has `height`; rejects with `ABORTED`. */
  reach(height: number): Promise<void>
  /** Resolves after the signal fired; rejects with a defect, after which the tip is not updated any more. */
  done: Promise<void>
}

/** A hint further ahead than this needs confirmation by a status poll. */
const MAX_UNCONFIRMED_LEAP = 64

export const followTip = (options: TipOptions): Tip => {
  const { node, wakeUp, pollMs, clock, logger, signal } = options
  let height = 0
  let wake: (() => void) | undefined

  const raise = (seen: number) => {
    if (seen <= height) return
    height = seen
    options.onTip(height)
    wake?.()
  }
  const polling = supervise(async () => raise((await node.status()).latestHeight), {
    policy: policies.poll(pollMs),
    signal,
    clock,
    onFailure: (error, failures) => {
      if (failures === 1) logger.error({ error }, 'status poll failed')
    },
    onRecovery: () => logger.info({ tip: height }, 'status poll recovered'),
  })
  const onHint = (seen: number) => {
    if (height > 0 && seen <= height + MAX_UNCONFIRMED_LEAP) raise(seen)
  }
  const reach = (target: number): Promise<void> =>
    new Promise((resolve, reject) => {
      if (height >= target && !signal.aborted) return resolve()
      const unlink = onAbort(signal, () => reject(abortedError(signal)))
      wake = () => {
        if (height < target) return
        unlink()
        wake = undefined
        resolve()
      }
    })
  const following = Promise.all([polling, wakeUp?.follow(onHint, signal)])
  return {
    get height() {
      return height
    },
    reach,
    done: following.then(() => undefined),
  }
}
