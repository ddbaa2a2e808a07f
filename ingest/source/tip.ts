// Tracks the tip of the chain: status polls confirm it, wake-ups are hints that end a wait early.
import { abortedError, onAbort } from '../../infra/base/runtime/abort.ts'
import type { Clock } from '../../infra/base/runtime/clock.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { policies } from '../../infra/base/runtime/policies.ts'
import { supervise } from '../../infra/base/runtime/retry.ts'
import type { ChainNode } from '../comet/endpoints/node.ts'
import type { WakeUp } from '../comet/wake-up/wake-up.ts'

export type TipOptions = {
  node: ChainNode
  wakeUp: WakeUp | undefined
  pollMs: number
  clock: Clock
  logger: Logger
  onTip: (tip: number) => void
  signal: AbortSignal
}

/** A hint further beyond the next height than this needs confirmation by a status poll. */
const MAX_UNCONFIRMED_LEAP = 64
/** While hints come, not older than `holdMs`, the status is polled only so often: a height takes two requests then. */
const HINTED = { holdMs: 10_000, pollMs: 60_000 }
/** Without hints it is polled after this share of the usual time between two heights, of which so many polls count. */
const DUE = { share: 0.6, mostPolls: 10, weight: 0.2 }

export function followTip(options: TipOptions) {
  const { node, wakeUp, pollMs, clock, logger, signal } = options
  let height = 0
  /** The next height that is waited for: every height before it was delivered. */
  let next = 0
  let hintedAtMs = Number.NEGATIVE_INFINITY
  let polledAtMs = Number.NEGATIVE_INFINITY
  /** The height of the last status. */
  let polled = 0
  let wake: (() => void) | undefined
  /** Between two heights. */
  let intervalMs = 0
  let changedAtMs = Number.NEGATIVE_INFINITY

  const learn = (heights: number) => {
    const tookMs = (clock.now() - changedAtMs) / heights
    changedAtMs = clock.now()
    if (heights < 1 || !Number.isFinite(tookMs)) return
    const boundedMs = Math.min(tookMs, DUE.mostPolls * pollMs)
    intervalMs = intervalMs === 0 ? boundedMs : intervalMs + (boundedMs - intervalMs) * DUE.weight
  }
  const set = (seen: number) => {
    if (seen === height) return
    learn(seen - height)
    height = seen
    options.onTip(height)
    wake?.()
  }
  const poll = async (): Promise<void> => {
    const nowMs = clock.now()
    // A clock that steps back makes a poll due.
    const since = (ms: number) => Math.abs(nowMs - ms)
    const isHinted = since(hintedAtMs) < HINTED.holdMs
    // A claim beyond the next height is checked soon.
    const checkMs = height > next ? HINTED.holdMs : HINTED.pollMs
    const isDue = isHinted
      ? since(polledAtMs) >= checkMs
      : since(changedAtMs) >= DUE.share * intervalMs
    if (!isDue) return
    const before = height
    const { latestHeight } = await node.status()
    polledAtMs = nowMs
    polled = latestHeight
    // A height that a hint reported meanwhile, or that was delivered, exists, whatever the status says.
    const known = Math.max(next - 1, height === before ? 0 : height)
    set(Math.max(latestHeight, known))
  }
  const polling = supervise(poll, {
    policy: policies.poll(pollMs),
    signal,
    clock,
    onFailure: (error, failures) => {
      if (failures === 1) logger.error({ error }, 'status poll failed')
    },
    onRecovery: () => logger.info({ tip: height }, 'status poll recovered'),
  })
  const onHint = (seen: number) => {
    const isConfirmed = polledAtMs > Number.NEGATIVE_INFINITY
    const isFar = seen > Math.max(next, polled) + MAX_UNCONFIRMED_LEAP
    if (!isConfirmed || seen <= height || isFar) return
    hintedAtMs = clock.now()
    set(seen)
  }
  /** Resolves when the chain has this height; rejects with `ABORTED`. */
  const reach = (target: number): Promise<void> =>
    new Promise((resolve, reject) => {
      next = target
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
    get height(): number {
      return height
    },
    reach,
    /** Resolves after the signal fired; rejects with a defect, after which the tip is not updated any more. */
    done: following.then(() => undefined),
  }
}
