// Tests how many heights are fetched at the same time: within the memory, and alone after a timeout.
import { expect, it } from 'vitest'
import { AppError } from '../../../../infra/base/runtime/errors.ts'
import type { Block } from '../../../../ingest/comet/blocks/block.ts'
import type { BlockOptions, ChainNode } from '../../../../ingest/comet/endpoints/node.ts'
import { createPrefetch } from '../../../../ingest/source/prefetch.ts'
import { createBlock } from '../../../support/chain/decoded-block.ts'

const TIP = 20
const MIB = 2 ** 20

const timeout = () =>
  new AppError('RPC_UNAVAILABLE', 'node: no answer', {
    retryable: true,
    cause: new AppError('DEADLINE_EXCEEDED', 'no answer', { retryable: true }),
  })

type Serve = (height: number, options: BlockOptions, running: number) => Promise<Block>

const setup = (serve: Serve, limits = { blocks: 8, bytes: 128 * MIB }) => {
  const running = new Set<number>()
  const mostAfter: number[] = []
  const ask = async (height: number, options: BlockOptions) => {
    running.add(height)
    mostAfter.push(running.size)
    try {
      return await serve(height, options, running.size)
    } finally {
      running.delete(height)
    }
  }
  /** Repeats each round in its turn, as the node does. */
  const block = async (height: number, options: BlockOptions = {}) => {
    for (;;) {
      try {
        return await options.turn!(() => ask(height, options))
      } catch (error) {
        if (!(error instanceof AppError && error.retryable)) throw error
      }
    }
  }
  const prefetch = createPrefetch({
    node: { block } as ChainNode,
    signal: new AbortController().signal,
    limits,
  })
  const takeAll = async () => {
    const heights: number[] = []
    for (let height = 1; height <= TIP; height++) {
      heights.push((await prefetch.take(height, TIP)).height)
    }
    return heights
  }
  return { takeAll, mostAfter }
}

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}
const ALL = Array.from({ length: TIP }, (_, index) => index + 1)

it('repeats heights that timed out together one at a time', async () => {
  let hasFailed = false
  const { takeAll, mostAfter } = setup(async (height, _, running) => {
    await turns(3)
    // They share one connection: more than one at a time is too slow.
    if (running > 1) hasFailed = true
    if (running > 1) throw timeout()
    return createBlock(height)
  })
  expect(await takeAll()).toEqual(ALL)
  expect(hasFailed).toBe(true)
  expect(mostAfter.filter((count) => count > 1).length).toBeLessThan(TIP)
})

it('fetches one height at a time while blocks have more memory than its limit', async () => {
  const most: number[] = []
  const { takeAll } = setup(async (height, { memory }, running) => {
    void memory?.part().resize(height > 8 ? 200 * MIB : 1_000)
    await turns(2)
    // The first large ones begin before their size is known.
    if (height > 16) most.push(running)
    return createBlock(height)
  })
  expect(await takeAll()).toEqual(ALL)
  expect(most).toEqual([1, 1, 1, 1])
})

it('keeps the memory of a block until it is delivered', async () => {
  const started: number[] = []
  const { takeAll } = setup(
    async (height) => {
      started.push(height)
      return createBlock(height, { begin: [['x', { a: 'b'.repeat(MIB) }]] })
    },
    { blocks: 8, bytes: 2.5 * MIB },
  )
  expect(await takeAll()).toEqual(ALL)
  for (const [order, height] of started.entries()) expect(height).toBe(order + 1)
})
