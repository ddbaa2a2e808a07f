// Tests batches: their size, and endpoints that refuse them.
import { expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../../../../infra/base/runtime/clock.ts'
import { createMetrics } from '../../../../../infra/base/runtime/metrics.ts'
import { createChainNode } from '../../../../../ingest/comet/endpoints/node-pool.ts'
import { createBatchSize, splitBatch } from '../../../../../ingest/comet/transport/batch.ts'
import { createMemoryBudget } from '../../../../../ingest/comet/transport/memory-budget.ts'
import { eventSelection } from '../../../../../ingest/derive/event-selection.ts'
import { silentLogger } from '../../../../support/process/log-lines.ts'
import { createBlockChain } from '../../../../support/simulator/block-chain.ts'
import { startGateway } from '../../../../support/simulator/nodes/gateway.ts'
import { createResponder } from '../../../../support/simulator/nodes/node.ts'

const item = (id: number, text: string) => `{"jsonrpc":"2.0","id":${id},"result":{"log":"${text}"}}`
const split = (text: string) =>
  [...(splitBatch(Buffer.from(text)) ?? [])].map(([id, part]) => [id, `${part}`])

it('splits a batch as it was sent, in any order', () => {
  const inside = '},{\\"jsonrpc\\":\\"2.0\\",\\"id\\":9,'
  const [one, two] = [item(1, inside), item(2, ']')]
  expect(split(`[${two},${one}]\n`)).toEqual([
    [2, two],
    [1, one],
  ])
  expect(split(`[ { "id": 3, "result": {} } ]`)).toEqual([[3, '{"id":3,"result":{}}']])
  expect(splitBatch(Buffer.from(item(1, 'a')))).toBeUndefined()
  expect(() => splitBatch(Buffer.from('[{"id":1'))).toThrow(SyntaxError)
})

it('grows with each answer, and shrinks with the size of the responses', () => {
  const size = createBatchSize(systemClock)
  const answer = (bytes: number) => {
    const requests = size.of('block_results')
    size.answered({ kind: 'block_results', requests, bytes: bytes * requests, tookMs: 1 })
    return requests
  }
  expect([1, 2, 3, 4, 5].map(() => answer(1_000))).toEqual([1, 2, 4, 8, 10])
  expect([1, 2, 3, 4].map(() => answer(6_000_000)).at(-1)).toBe(1)
  size.refused()
  expect(size.of('block')).toBe(1)
})

const readRange = async (manners: Parameters<typeof startGateway>[1]) => {
  const chain = createBlockChain({ blocks: 40 })
  const gateway = await startGateway([createResponder({ chain })], manners)
  onTestFinished(gateway.close)
  const node = await createChainNode({
    urls: [gateway.url],
    selection: eventSelection,
    settings: { retryBudgetMs: 0 },
    logger: silentLogger(),
    metrics: createMetrics('ingest'),
  })
  onTestFinished(node.close)
  const memory = createMemoryBudget(2 ** 30).open()
  const read = () => node.blockRange?.({ from: 3, to: 22 }, { memory, isPast: true })
  const first = await read()
  return { chain, first, blocks: await read(), gateway }
}

it('reads twenty heights in a few requests', async () => {
  const { chain, blocks, first } = await readRange({})
  expect(blocks).toEqual(first)
  expect(blocks?.map(({ height, hash }) => [height, hash])).toEqual(
    Array.from({ length: 20 }, (_, at) => [at + 3, chain.block(at + 3).hash]),
  )
})

it('asks one at a time where a gateway forbids batches, and is not slowed down by that', async () => {
  const { blocks, gateway } = await readRange({ maxBatch: 1 })
  expect(blocks).toHaveLength(20)
  const refused = [...gateway.traffic().methods.values()].map((counts) => counts.refused)
  expect(Math.max(...refused)).toBe(2)
})
