// Tests what is asked of a URL whose nodes are not equally far.
import { expect, it, onTestFinished } from 'vitest'
import { createMetrics } from '../../../../../infra/base/runtime/metrics.ts'
import { createChainNode } from '../../../../../ingest/comet/endpoints/node-pool.ts'
import { silentLogger } from '../../../../support/process/log-lines.ts'
import { createBlockChain } from '../../../../support/simulator/block-chain.ts'
import { startGateway } from '../../../../support/simulator/nodes/gateway.ts'
import { createResponder } from '../../../../support/simulator/nodes/node.ts'

type Gateway = Awaited<ReturnType<typeof startGateway>>

/** Each read is asked once. */
const connect = async (gateway: Gateway) => {
  onTestFinished(gateway.close)
  const node = await createChainNode({
    urls: [gateway.url],
    settings: { retryBudgetMs: 0 },
    logger: silentLogger(),
    metrics: createMetrics('ingest'),
  })
  onTestFinished(node.close)
  return node
}

it('asks a URL again only for the part of a block that one of its nodes does not have yet', async () => {
  const chain = createBlockChain({ blocks: 20 })
  const nodes = [0, 0, 1].map((behind) => createResponder({ chain, window: { behind } }))
  const gateway = await startGateway(nodes)
  const node = await connect(gateway)
  expect((await node.block(20)).height).toBe(20)
  const { methods } = gateway.traffic()
  const asked = ['block', 'block_results'].map((method) => methods.get(method)?.granted ?? 0)
  expect(Math.max(...asked)).toBeLessThanOrEqual(2)
})

it('asks again only for the part of a block that was refused', async () => {
  const chain = createBlockChain({ blocks: 20 })
  let refusals = 0
  const gateway = await startGateway([createResponder({ chain })], {
    refuses: () => {
      const hasResults = gateway.traffic().methods.get('block_results')?.granted === 1
      if (!hasResults || ++refusals > 1) return undefined
      return { status: 429, retryAfterSeconds: 0 }
    },
  })
  const node = await connect(gateway)
  expect((await node.block(20)).height).toBe(20)
  const { methods } = gateway.traffic()
  expect(methods.get('block')).toMatchObject({ granted: 1, refused: 1 })
  expect(methods.get('block_results')?.granted).toBe(1)
})
