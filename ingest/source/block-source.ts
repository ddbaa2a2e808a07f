// Heights → blocks: every height once, in order, without a gap, live and backfill by the same code;
// each one linked to the one before by its hash, or nothing more is delivered.
import { linkedAbort, unlessAborted } from '../../infra/runtime/abort.ts'
import { type Clock, systemClock } from '../../infra/runtime/clock.ts'
import { AppError, hasCode } from '../../infra/runtime/errors.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import type { Metrics } from '../../infra/runtime/metrics.ts'
import type { Block } from '../comet/block.ts'
import { isBefore } from '../comet/block-time.ts'
import { findMismatch } from '../comet/fetch-block.ts'
import type { BlockOptions, BlockSource, ChainNode } from '../comet/node.ts'
import { createSourceMetrics } from '../comet/node-metrics.ts'
import type { WakeUp } from '../comet/wake-up.ts'
import {
  createPrefetch,
  type Fetching,
  fetchBlock,
  fetchHeight,
  type PrefetchLimits,
} from './prefetch.ts'
import { followTip } from './tip.ts'

export type BlockSourceOptions = {
  node: ChainNode
  /** Absent: by status polls alone. */
  wakeUp?: WakeUp
  prefetch?: PrefetchLimits
  pollMs?: number
  timeDisputeMs?: number
  logger: Logger
  metrics: Metrics
  clock?: Clock
}

const DEFAULT_PREFETCH: PrefetchLimits = { blocks: 32, bytes: 128 * 2 ** 20 }
const DEFAULT_POLL_MS = 1_000

/**
 * How long endpoints are asked for another block where one is of an earlier time than the one
 * before it. After that it is believed: its hash links it to the log's own chain, and a false time
 * that is in the log already must not end indexing for good.
 */
const DEFAULT_TIME_DISPUTE_MS = 60_000

/** What is known of the block before. Null: nothing. */
type Previous = {
  hash: string | null
  time: string | null
  /** Of the validators that it names for the next block; only where headers are verified. */
  nextValidatorsHash: string | null
}

/** What the next block has to fit, whichever endpoint serves it. */
const expectedAfter = ({ hash, nextValidatorsHash }: Previous): BlockOptions => ({
  ...(hash === null ? {} : { previousHash: hash }),
  ...(nextValidatorsHash === null ? {} : { validatorsHash: nextValidatorsHash }),
})

/** Checks that every block follows the one before it, and asks again where one does not. */
const createLinker = (first: Previous, fetching: Fetching & { budgetMs: number }) => {
  let previous = first
  let broken = false
  const { budgetMs: _, ...withoutLimit } = fetching
  const follows = (block: Block): boolean =>
    findMismatch(block, expectedAfter(previous)) === undefined

  /** What an endpoint of the same chain has instead. Throws `CHAIN_FORKED` where none has. */
  const askAgain = async (refused: Block) => {
    const { height } = refused
    const expected = expectedAfter(previous)
    const found = { previousHash: refused.previousHash, validatorsHash: refused.validatorsHash }
    // Blocks fetched ahead from a forked endpoint all break: the first one is named.
    const level = broken ? 'debug' : 'warn'
    fetching.logger[level]({ height, expected, found }, 'block did not follow the one before')
    broken = true
    return await fetchBlock({ height, ...expected, instead: refused }, withoutLimit)
  }
  /** CometBFT's time never goes back, so a block that is too early is asked for again. */
  const withTime = async (linked: Block): Promise<Block> => {
    const previousTime = previous.time
    if (previousTime === null || !isBefore(linked.time, previousTime)) return linked
    const { height, time } = linked
    const about = { height, time, previousTime }
    fetching.logger.warn(about, 'block was earlier than the one before')
    const request = { height, previousHash: linked.previousHash, ...expectedAfter(previous) }
    try {
      return await fetchBlock({ ...request, notBefore: previousTime, instead: linked }, fetching)
    } catch (error) {
      if (!(error instanceof AppError && error.retryable)) throw error
      // Read again: all endpoints may have been away since, and the block is that of a liar.
      const block = await fetchBlock(request, withoutLimit)
      fetching.logger.error(about, 'stopped asking for a block that is not earlier')
      return block
    }
  }
  return async (fetched: Block): Promise<Block> => {
    const linked = follows(fetched)
    const block = await withTime(linked ? fetched : await askAgain(fetched))
    if (linked) broken = false
    const { hash, time, nextValidatorsHash = null } = block
    previous = { hash, time, nextValidatorsHash }
    return block
  }
}

/**
 * The validators that the log's last block names for the next one. Null where headers are not verified, in an empty log,
 * and where no endpoint has the block any more: then the validators of the next block are trusted as they are.
 */
const validatorsAfter = async (
  block: { height: number; hash: string | null },
  fetching: Fetching,
): Promise<string | null> => {
  const { node, logger } = fetching
  const { height, hash } = block
  if (hash === null || !node.nextValidatorsHash) return null
  const read = node.nextValidatorsHash
  const found = await fetchHeight(height, () => read(height, hash), fetching)
  if (found === null) logger.warn({ height }, 'trusted the validators of the next block')
  return found
}

export const createBlockSource = (options: BlockSourceOptions): BlockSource => {
  const { node, wakeUp, logger, clock = systemClock, pollMs = DEFAULT_POLL_MS } = options
  const metrics = createSourceMetrics(options.metrics)
  const limits = options.prefetch ?? DEFAULT_PREFETCH
  const budgetMs = options.timeDisputeMs ?? DEFAULT_TIME_DISPUTE_MS
  return {
    follow: async function* ({ from, previousHash, previousTime = null, signal }) {
      // Ended by the consumer leaving the loop as well as by its signal.
      const ending = linkedAbort(signal)
      const shared = { node, clock, logger, signal: ending.signal }
      const onTip = (height: number) => metrics.tip.set(height)
      const tip = followTip({ ...shared, wakeUp, pollMs, onTip })
      let fault: { error: unknown } | undefined
      tip.done.catch((error: unknown) => {
        fault = { error }
        ending.abort()
      })
      const prefetch = createPrefetch({ ...shared, limits })
      try {
        const nextValidatorsHash = await unlessAborted(
          validatorsAfter({ height: from - 1, hash: previousHash }, shared),
          ending.signal,
        )
        const previous = { hash: previousHash, time: previousTime, nextValidatorsHash }
        const link = createLinker(previous, { ...shared, budgetMs })
        for (let height = from; ; height++) {
          await tip.reach(height)
          const fetched = await unlessAborted(prefetch.take(height, tip.height), ending.signal)
          const block = await unlessAborted(link(fetched), ending.signal)
          metrics.delivered.inc()
          yield { block, tip: tip.height }
        }
      } catch (error) {
        if (!(ending.signal.aborted && hasCode(error, 'ABORTED'))) throw error
        if (fault) throw fault.error
      } finally {
        ending.abort()
        ending.unlink()
      }
    },
  }
}
