// Tests what is asked of a URL whose nodes are not equally far.
import { expect, it, onTestFinished } from 'vitest'
import { createBlockChain } from '../../../../../infra/app/chain/block-chain.ts'
import { startGateway } from '../../../../../infra/app/chain/nodes/gateway.ts'
import { createResponder } from '../../../../../infra/app/chain/nodes/node.ts'
import { createMetrics } from '../../../../../infra/base/runtime/metrics.ts'
import { createChainNode } from '../../../../../ingest/comet/endpoints/node-pool.ts'
import { silentLogger } from '../../../../support/process/log-lines.ts'

it('asks a URL again only for the part of a block that one of its nodes does not have yet', async () => {
  const chain = createBlockChain({ blocks: 20 })
  const nodes = [0, 0, 1].map((behind) => createResponder({ chain, window: { behind } }))
  const gateway = await startGateway(nodes)
  onTestFinished(gateway.close)
  const node = await createChainNode({
    urls: [gateway.url],
    settings: { retryBudgetMs: 0 },
    logger: silentLogger(),
    metrics: createMetrics('ingest'),
  })
  onTestFinished(node.close)
  expect((await node.block(20)).height).toBe(20)
  const { methods } = gateway.traffic()
  const asked = ['block', 'block_results'].map((method) => methods.get(method)?.granted ?? 0)
  expect(Math.max(...asked)).toBeLessThanOrEqual(2)
})
