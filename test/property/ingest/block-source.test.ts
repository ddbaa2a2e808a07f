// Property tests of the block source for any order of responses, failures and wake-ups.
// Every height is delivered once, in order, without a gap, and memory stays bounded.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { abortedError } from '../../../infra/base/runtime/abort.ts'
import { AppError } from '../../../infra/base/runtime/errors.ts'
import { createMetrics } from '../../../infra/base/runtime/metrics.ts'
import type { Block } from '../../../ingest/comet/blocks/block.ts'
import type { ChainNode } from '../../../ingest/comet/endpoints/node.ts'
import type { WakeUp } from '../../../ingest/comet/wake-up/wake-up.ts'
import { createBlockSource } from '../../../ingest/source/block-source.ts'
import { createFakeClock } from '../../support/process/fake-clock.ts'
import { silentLogger } from '../../support/process/log-lines.ts'
import { createBlockChain, forkChain } from '../../support/simulator/block-chain.ts'

const turns = async (count: number) => {
  for (let turn = 0; turn <= count; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** One response of the node: its delay and its outcome. */
const anAnswer = fc.record({
  turns: fc.nat(4),
  outcome: fc.constantFrom('block', 'block', 'block', 'unavailable', 'forked'),
})

const aRun = fc.record({
  from: fc.integer({ min: 1, max: 4 }),
  firstTip: fc.integer({ min: 0, max: 12 }),
  growth: fc.array(fc.nat(3), { minLength: 1, maxLength: 8 }),
  answers: fc.array(anAnswer, { minLength: 1, maxLength: 20 }),
  hints: fc.array(fc.integer({ min: -1, max: 60 }), { maxLength: 10 }),
  blocks: fc.integer({ min: 1, max: 6 }),
  bytes: fc.constantFrom(1, 300, 1_000_000),
  consumerTurns: fc.nat(3),
})
type Run = typeof aRun extends fc.Arbitrary<infer T> ? T : never

const TARGET = 20

const createScriptedNode = ({ firstTip, growth, answers }: Run) => {
  const chain = createBlockChain({ blocks: firstTip })
  const underway = { now: 0, most: 0 }
  let requestCount = 0
  let polled = 0
  const blockAt = (height: number, { block, chainId } = chain): Block => ({
    ...block(height),
    chainId,
    height,
    txs: [],
    events: [],
  })
  const node: ChainNode = {
    chainId: chain.chainId,
    status: () => Promise.reject(new Error('not used here')),
    latestHeight: async () => {
      const grown = growth[polled++ % growth.length] ?? 0
      // The chain always grows in the end: it would never reach the target with a growth of zeros only.
      for (let block = 0; block < grown + (polled % 5 === 0 ? 1 : 0); block++) chain.add()
      await turns(1)
      return chain.tip
    },
    // As every node does for a required block: it repeats the read until an endpoint answers.
    block: async (height, options) => {
      for (let attempt = 1; ; attempt++) {
        if (options?.signal?.aborted) throw abortedError(options.signal)
        const answer = answers[requestCount++ % answers.length]
        underway.most = Math.max(underway.most, ++underway.now)
        await turns(answer?.turns ?? 0)
        underway.now--
        // Every fifth response is good, also of one read, so that failures always end.
        const isGood = answer?.outcome === 'block' || requestCount % 5 === 0 || attempt % 5 === 0
        if (height > chain.tip || (!isGood && answer?.outcome === 'unavailable')) {
          await turns(1)
          continue
        }
        // Nothing before the first block can show its fork.
        const isForked = !isGood && options?.previousHash === undefined && height > 1
        return blockAt(height, isForked ? forkChain(chain) : chain)
      }
    },
    header: async () => {
      throw new AppError('RPC_UNAVAILABLE', 'is not asked for')
    },
    searchTxs: async () => ({ heights: [], reason: 'is not asked for' }),
    abciQuery: () => Promise.reject(new Error('not used here')),
    close: async () => {},
  }
  return { chain, node, underway }
}

const hintingWith = (hints: readonly number[]): WakeUp => ({
  follow: async (onHeight, signal) => {
    for (const hint of hints) {
      await turns(2)
      if (signal.aborted) return
      onHeight(hint)
    }
  },
})

it('delivers every height once, in order, for any interleaving of responses, faults and hints', {
  tags: 'ingest:no-height-skipped',
}, async () => {
  await fc.assert(
    fc.asyncProperty(aRun, async (run) => {
      const { chain, node, underway } = createScriptedNode(run)
      const source = createBlockSource({
        node,
        wakeUp: hintingWith(run.hints),
        prefetch: { blocks: run.blocks, bytes: run.bytes },
        logger: silentLogger(),
        metrics: createMetrics('ingest'),
        clock: createFakeClock(),
      })
      const heights: number[] = []
      const stopping = new AbortController()
      const following = source.follow({
        from: run.from,
        previousHash: chain.block(run.from).previousHash,
        signal: stopping.signal,
      })
      for await (const { block, tip } of following) {
        heights.push(block.height)
        expect(block.hash).toBe(chain.block(block.height).hash)
        expect(tip).toBeGreaterThanOrEqual(block.height)
        await turns(run.consumerTurns)
        if (block.height >= TARGET) stopping.abort()
      }
      const length = TARGET - run.from + 1
      expect(heights).toEqual(Array.from({ length }, (_, index) => run.from + index))
      // The link check can request one block again beside the prefetched ones.
      expect(underway.most).toBeLessThanOrEqual(run.blocks + 1)
    }),
    { numRuns: 400 },
  )
})
