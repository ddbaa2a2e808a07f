// Tests how many heights are fetched at the same time: within the memory.
import { expect, it } from 'vitest'
import type { Block } from '../../../../ingest/comet/blocks/block.ts'
import type { BlockOptions, ChainNode } from '../../../../ingest/comet/endpoints/node.ts'
import { createPrefetch } from '../../../../ingest/source/prefetch.ts'
import { createBlock } from '../../../support/chain/decoded-block.ts'

const TIP = 20
const MIB = 2 ** 20

type Serve = (height: number, options: BlockOptions, running: number) => Promise<Block>

const setup = (serve: Serve, limits = { blocks: 8, bytes: 128 * MIB }) => {
  const running = new Set<number>()
  const block = async (height: number, options: BlockOptions = {}) => {
    running.add(height)
    try {
      return await serve(height, options, running.size)
    } finally {
      running.delete(height)
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
  return { takeAll }
}

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}
const ALL = Array.from({ length: TIP }, (_, index) => index + 1)

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
