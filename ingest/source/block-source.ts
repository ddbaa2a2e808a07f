// Heights → blocks: every height once, in order, without a gap, live and backfill by the same code;
// each one linked to the one before by its hash, or nothing more is delivered.
import { setMaxListeners } from 'node:events'
import { abortedError, type Clock, systemClock } from '../../infra/runtime/clock.ts'
import { hasCode } from '../../infra/runtime/errors.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import type { Metrics } from '../../infra/runtime/metrics.ts'
import type { Block } from '../comet/block.ts'
import type { BlockSource, ChainNode } from '../comet/node.ts'
import { createSourceMetrics } from '../comet/node-metrics.ts'
import type { WakeUp } from '../comet/wake-up.ts'
import { createPrefetch, type Fetching, fetchPatiently, type PrefetchLimits } from './prefetch.ts'
import { followTip } from './tip.ts'

export type BlockSourceOptions = {
  node: ChainNode
  /** Absent: by status polls alone. */
  wakeUp?: WakeUp
  prefetch?: PrefetchLimits
  pollMs?: number
  log: Logger
  metrics: Metrics
  clock?: Clock
}

const DEFAULT_PREFETCH: PrefetchLimits = { blocks: 32, bytes: 128 * 2 ** 20 }
const DEFAULT_POLL_MS = 1_000

/** `promise`, or `ABORTED` as soon as the signal fires, whatever the promise does. */
const untilAborted = <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const onAbort = () => reject(abortedError(signal))
    signal.addEventListener('abort', onAbort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
    if (signal.aborted) onAbort()
  })

/** Checks that every block follows the one before it, and asks again where one does not. */
const createLinker = (first: string | null, fetching: Fetching) => {
  let previousHash = first
  let broken = false
  const follows = (block: Block) => previousHash === null || block.previousHash === previousHash

  /** What an endpoint of the same chain has instead. Throws `CHAIN_FORKED` where none has. */
  const askAgain = async (refused: Block, expected: string) => {
    const { height, previousHash: found } = refused
    // Blocks fetched ahead from a forked endpoint all break: the first one is named.
    const level = broken ? 'debug' : 'warn'
    fetching.log[level]({ height, expected, found }, 'block did not follow the one before')
    broken = true
    const asked = { height, previousHash: expected, instead: refused }
    return await fetchPatiently(asked, fetching)
  }
  return async (fetched: Block): Promise<Block> => {
    const linked = follows(fetched)
    const block = linked ? fetched : await askAgain(fetched, previousHash!)
    if (linked) broken = false
    previousHash = block.hash
    return block
  }
}

export const createBlockSource = (options: BlockSourceOptions): BlockSource => {
  const { node, wakeUp, log, clock = systemClock, pollMs = DEFAULT_POLL_MS } = options
  const metrics = createSourceMetrics(options.metrics)
  const limits = options.prefetch ?? DEFAULT_PREFETCH
  return {
    follow: async function* ({ from, previousHash, signal }) {
      // Ended by the consumer leaving the loop as well as by its signal.
      const ending = new AbortController()
      // One listener for each height that waits for its next attempt.
      setMaxListeners(0, ending.signal)
      const onAbort = () => ending.abort()
      signal.addEventListener('abort', onAbort, { once: true })
      if (signal.aborted) ending.abort()
      const shared = { node, clock, log, signal: ending.signal }
      const onTip = (height: number) => metrics.tip.set(height)
      const tip = followTip({ ...shared, wakeUp, pollMs, onTip })
      const prefetch = createPrefetch({ ...shared, limits })
      const link = createLinker(previousHash, shared)
      try {
        for (let height = from; ; height++) {
          await tip.reach(height)
          const fetched = await untilAborted(prefetch.take(height, tip.height), ending.signal)
          const block = await untilAborted(link(fetched), ending.signal)
          metrics.delivered.inc()
          yield { block, tip: tip.height }
        }
      } catch (error) {
        if (!(ending.signal.aborted && hasCode(error, 'ABORTED'))) throw error
      } finally {
        ending.abort()
        signal.removeEventListener('abort', onAbort)
      }
    },
  }
}
