// Tracks the tip of the chain: polls confirm it, wake-ups are hints that end a wait early.
import { abortedError, onAbort } from '../../infra/base/runtime/abort.ts'
import { type Clock, pause } from '../../infra/base/runtime/clock.ts'
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

/** A hint further beyond the next height than this needs confirmation by a poll. */
const MAX_UNCONFIRMED_LEAP = 64
/** While hints come, not older than `holdMs`, the tip is polled only so often: a height takes two requests then. */
const HINTED = { holdMs: 10_000, pollMs: 60_000 }
/**
 * Without hints a height takes one poll and, for about every second height, one that comes too early: that makes the wait after each
 * height longer, and one that finds the next height shorter. In intervals of polls.
 */
const WAIT = { longer: 0.15, shorter: 0.15, most: 10 }

export function followTip(options: TipOptions) {
  const { node, wakeUp, pollMs, clock, logger, signal } = options
  let height = 0
  /** The next height that is waited for: every height before it was delivered. */
  let next = 0
  let hintedAtMs = Number.NEGATIVE_INFINITY
  let polledAtMs = Number.NEGATIVE_INFINITY
  /** What the last poll found. */
  let polled = 0
  let changedAtMs = Number.NEGATIVE_INFINITY
  /** How long after a height the next one is polled for. */
  let waitMs = 0
  let wake: (() => void) | undefined

  const set = (seen: number) => {
    if (seen === height) return
    changedAtMs = clock.now()
    height = seen
    options.onTip(height)
    wake?.()
  }
  /** `heights`: that the first poll after a height found. */
  const learn = (heights: number) => {
    const next =
      heights > 0 ? waitMs / heights - WAIT.shorter * pollMs : waitMs + WAIT.longer * pollMs
    waitMs = Math.min(Math.max(0, next), WAIT.most * pollMs)
  }
  // A clock that steps back makes a poll due.
  const since = (ms: number) => Math.abs(clock.now() - ms)
  /** True once a poll is due; it may be due before the next turn. */
  const isDue = async (): Promise<boolean> => {
    // A claim beyond the next height is checked soon.
    if (since(hintedAtMs) < HINTED.holdMs)
      return since(polledAtMs) >= (height > next ? HINTED.holdMs : HINTED.pollMs)
    const dueInMs = waitMs - since(changedAtMs)
    if (dueInMs >= pollMs) return false
    if (dueInMs > 0) await pause(dueInMs, signal, clock)
    return true
  }
  const poll = async (): Promise<void> => {
    if (!(await isDue())) return
    const before = height
    const isFirst = polledAtMs <= changedAtMs
    const nowMs = clock.now()
    const found = await node.latestHeight()
    polledAtMs = nowMs
    polled = found
    if (isFirst && height === before) learn(found - before)
    // A height that a hint reported meanwhile, or that was delivered, exists, whatever the poll says.
    const known = Math.max(next - 1, height === before ? 0 : height)
    set(Math.max(found, known))
  }
  const polling = supervise(poll, {
    policy: policies.poll(pollMs),
    signal,
    clock,
    onFailure: (error, failures) => {
      if (failures === 1) logger.error({ error }, 'poll of the tip failed')
    },
    onRecovery: () => logger.info({ tip: height }, 'poll of the tip recovered'),
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
