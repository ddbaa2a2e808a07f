// Delivers every height once, in order and without a gap, live and during backfill. Each block must link to the previous one by
// its hash.

import type { TrustedHeader } from '../../infra/base/proof/trusted-header.ts'
import { linkedAbort, unlessAborted } from '../../infra/base/runtime/abort.ts'
import { type Clock, systemClock } from '../../infra/base/runtime/clock.ts'
import { AppError, hasCode } from '../../infra/base/runtime/errors.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import type { Metrics } from '../../infra/base/runtime/metrics.ts'
import { type Block, isBefore } from '../comet/blocks/block.ts'
import { findMismatch } from '../comet/blocks/fetch-block.ts'
import { oncePer } from '../comet/endpoints/endpoint-health.ts'
import type { BlockOptions, BlockSource, ChainNode } from '../comet/endpoints/node.ts'
import type { WakeUp } from '../comet/wake-up/wake-up.ts'
import { type Fetching, Prefetch, type PrefetchLimits } from './prefetch.ts'
import { followTip } from './tip.ts'

const createSourceMetrics = oncePer((metrics) => ({
  delivered: metrics.counter({
    name: 'blocks_delivered_total',
    help: 'Blocks delivered, in order',
  }),
  tip: metrics.gauge({
    name: 'tip_height',
    help: 'Highest known height of the chain',
  }),
}))

export type BlockSourceOptions = {
  node: ChainNode
  /** If absent, only status polls report the tip. */
  wakeUp?: WakeUp
  prefetch?: PrefetchLimits
  pollMs?: number
  timeDisputeMs?: number
  /** The first block of an empty log is verified from this header; by default its validators are trusted. */
  trustedHeader?: TrustedHeader | undefined
  logger: Logger
  metrics: Metrics
  clock?: Clock
}

const DEFAULT_PREFETCH: PrefetchLimits = { blocks: 32, bytes: 128 * 2 ** 20 }
const DEFAULT_POLL_MS = 1_000

/**
 * How long to retry endpoints if a block is earlier than the one before it. Afterwards the block is accepted,
 * because its hash links it to the log's own chain. A false time in the log must not stop indexing
 * permanently.
 */
const DEFAULT_TIME_DISPUTE_MS = 60_000

/** Known data of the block before; null if there is none. */
type Previous = {
  hash: string | null
  time: string | null
  /** The validators that it names for the next block; only if headers are verified. */
  nextValidatorsHash: string | null
}

/** The requirements for the next block from any endpoint. */
const expectedAfter = ({ hash, nextValidatorsHash }: Previous): BlockOptions => ({
  ...(hash === null ? {} : { previousHash: hash }),
  ...(nextValidatorsHash === null ? {} : { validatorsHash: nextValidatorsHash }),
})

/** Checks that every block follows the one before it, and reads it again if not. */
const createLinker = (first: Previous, fetching: Fetching & { budgetMs: number }) => {
  let previous = first
  let broken = false
  const { node, signal, budgetMs } = fetching
  const required = { isRequired: true, signal }
  const follows = (block: Block): boolean =>
    findMismatch(block, expectedAfter(previous)) === undefined

  /** The block of another endpoint of the same chain. Throws `CHAIN_FORKED` if none has one. */
  const askAgain = async (refused: Block) => {
    const { height } = refused
    const expected = expectedAfter(previous)
    const found = { previousHash: refused.previousHash, validatorsHash: refused.validatorsHash }
    // All prefetched blocks of a forked endpoint fail: the log names the first one.
    const level = broken ? 'debug' : 'warn'
    fetching.logger[level]({ height, expected, found }, 'block does not link to the previous one')
    broken = true
    return await node.block(height, { ...required, ...expected, instead: refused })
  }
  /** CometBFT's time never decreases, so a block that is too early is read again. */
  const withTime = async (linked: Block): Promise<Block> => {
    const previousTime = previous.time
    if (previousTime === null || !isBefore(linked.time, previousTime)) return linked
    const { height, time } = linked
    const about = { height, time, previousTime }
    fetching.logger.warn(about, 'block is earlier than the previous one')
    const request = { previousHash: linked.previousHash, ...expectedAfter(previous) }
    const later = { ...request, notBefore: previousTime, instead: linked }
    try {
      return await node.block(height, { ...later, budgetMs, signal })
    } catch (error) {
      if (!(error instanceof AppError && error.retryable)) throw error
      // Read again: all other endpoints may have been down, and the block may be from a faulty endpoint.
      const block = await node.block(height, { ...required, ...request })
      fetching.logger.error(about, 'accepted the earlier block: no endpoint has another one')
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

type LastBlock = { height: number; hash: string; time: string | null }

/**
 * The requirements for the block after the last one of the log. If no endpoint has the last one any more, the
 * validators of the next one are trusted without a check.
 */
const afterLast = async (
  { height, hash, time }: LastBlock,
  fetching: Fetching,
): Promise<Previous> => {
  const { node, logger } = fetching
  if (!node.nextValidatorsHash) return { hash, time, nextValidatorsHash: null }
  const read = node.nextValidatorsHash
  const nextValidatorsHash = await read(height, hash)
  if (nextValidatorsHash === null)
    logger.warn({ height }, 'trusts the validators of the next block without a check')
  return { hash, time, nextValidatorsHash }
}

/** The requirements for the first block of an empty log. */
const beforeFirst = async (
  from: number,
  trusted: TrustedHeader | undefined,
  fetching: Fetching,
): Promise<Previous> => {
  const { node, logger } = fetching
  if (!node.trustedBlock) return { hash: null, time: null, nextValidatorsHash: null }
  if (!trusted) {
    logger.warn({ height: from }, 'trusts the validators of the first block without a check')
    return { hash: null, time: null, nextValidatorsHash: null }
  }
  const read = node.trustedBlock
  const found = await read(trusted, from)
  const trustedHeight = Number(trusted.height)
  logger.info({ height: from, trustedHeight }, 'verified the first block from the trusted header')
  return { hash: found.previousHash, time: null, nextValidatorsHash: found.validatorsHash }
}

export const createBlockSource = (options: BlockSourceOptions): BlockSource => {
  const { node, wakeUp, logger, clock = systemClock, pollMs = DEFAULT_POLL_MS } = options
  const metrics = createSourceMetrics(options.metrics)
  const limits = options.prefetch ?? DEFAULT_PREFETCH
  const budgetMs = options.timeDisputeMs ?? DEFAULT_TIME_DISPUTE_MS
  return {
    follow: async function* ({ from, previousHash, previousTime = null, signal }) {
      // Ends when the consumer leaves the loop, and when its signal fires.
      const ending = linkedAbort(signal)
      const shared = { node, logger, signal: ending.signal }
      const onTip = (height: number) => metrics.tip.set(height)
      const tip = followTip({ ...shared, clock, wakeUp, pollMs, onTip })
      let fault: { error: unknown } | undefined
      tip.done.catch((error: unknown) => {
        fault = { error }
        ending.abort()
      })
      const prefetch = new Prefetch({ ...shared, limits })
      try {
        const previous = await unlessAborted(
          previousHash === null
            ? beforeFirst(from, options.trustedHeader, shared)
            : afterLast({ height: from - 1, hash: previousHash, time: previousTime }, shared),
          ending.signal,
        )
        const link = createLinker(previous, { ...shared, budgetMs })
        for (let height = from; ; height++) {
          await tip.reach(height)
          const fetched = await unlessAborted(prefetch.take(height, tip.height), ending.signal)
          const block = await unlessAborted(link(fetched), ending.signal)
          metrics.delivered.inc()
          // A status behind a hint may have lowered the tip meanwhile.
          yield { block, tip: Math.max(tip.height, height) }
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
