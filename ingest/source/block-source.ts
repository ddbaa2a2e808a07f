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
  /** If absent, only polls report the tip. */
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

/** What the next block must match, from any endpoint. `time`: of the block before; null if it is not known. */
type Expected = Pick<BlockOptions, 'previousHash' | 'validatorsHash'> & { time: string | null }

/** Checks that every block follows the one before it, and reads it again if not. */
const createLinker = (first: Expected, fetching: Fetching & { budgetMs: number }) => {
  let { time: previousTime, ...expected } = first
  let broken = false
  const { node, signal, budgetMs } = fetching
  const required = { isRequired: true, signal }

  /** The block of another endpoint of the same chain. Throws `CHAIN_FORKED` if none has one. */
  const askAgain = async (refused: Block) => {
    const { height } = refused
    const found = { previousHash: refused.previousHash, validatorsHash: refused.validatorsHash }
    // All prefetched blocks of a forked endpoint fail: the log names the first one.
    const level = broken ? 'debug' : 'warn'
    fetching.logger[level]({ height, expected, found }, 'block does not link to the previous one')
    broken = true
    return await node.block(height, { ...required, ...expected, instead: refused })
  }
  /** CometBFT's time never decreases, so a block that is too early is read again. */
  const withTime = async (linked: Block): Promise<Block> => {
    if (previousTime === null || !isBefore(linked.time, previousTime)) return linked
    const { height, time } = linked
    const about = { height, time, previousTime }
    fetching.logger.warn(about, 'block is earlier than the previous one')
    const request = { previousHash: linked.previousHash, ...expected }
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
    const linked = findMismatch(fetched, expected) === undefined
    const block = await withTime(linked ? fetched : await askAgain(fetched))
    if (linked) broken = false
    const { hash, time, nextValidatorsHash: validatorsHash } = block
    expected = { previousHash: hash, ...(validatorsHash && { validatorsHash }) }
    previousTime = time
    return block
  }
}

/** After the last block of the log. If no endpoint has that one any more, the validators of the next one are trusted without a check. */
const afterLast = async (
  height: number,
  previousHash: string,
  { node, logger }: Fetching,
): Promise<Omit<Expected, 'time'>> => {
  if (!node.nextValidatorsHash) return { previousHash }
  const read = node.nextValidatorsHash
  const validatorsHash = await read(height, previousHash)
  if (validatorsHash !== null) return { previousHash, validatorsHash }
  logger.warn({ height }, 'trusts the validators of the next block without a check')
  return { previousHash }
}

/** The first block of an empty log. */
const beforeFirst = async (
  from: number,
  trusted: TrustedHeader | undefined,
  { node, logger }: Fetching,
): Promise<Omit<Expected, 'time'>> => {
  if (!node.trustedBlock) return {}
  if (!trusted) {
    logger.warn({ height: from }, 'trusts the validators of the first block without a check')
    return {}
  }
  const read = node.trustedBlock
  const found = await read(trusted, from)
  const trustedHeight = Number(trusted.height)
  logger.info({ height: from, trustedHeight }, 'verified the first block from the trusted header')
  return found
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
        const expected = await unlessAborted(
          previousHash === null
            ? beforeFirst(from, options.trustedHeader, shared)
            : afterLast(from - 1, previousHash, shared),
          ending.signal,
        )
        const time = previousHash === null ? null : previousTime
        const link = createLinker({ ...expected, time }, { ...shared, budgetMs })
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
