// Tests what is asked of a URL whose nodes are not equally far.
import { expect, it, onTestFinished } from 'vitest'
import { createMetrics } from '../../../../infra/base/runtime/metrics.ts'
import { createChainNode } from '../../../../ingest/comet/node-pool.ts'
import { createFakeChain } from '../../../support/chain/fake-chain.ts'
import { startGateway } from '../../../support/endpoint/gateway.ts'
import { createSimulatedNode } from '../../../support/endpoint/simulated-node.ts'
import { silentLogger } from '../../../support/process/log-lines.ts'

it('asks a URL again only for the part of a block that one of its nodes does not have yet', async () => {
  const chain = createFakeChain({ blocks: 20 })
  const nodes = [0, 0, 1].map((behind) =>
    createSimulatedNode({ chain, abci: undefined, window: { behind } }),
  )
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
  expect(asked.toSorted()).toEqual([1, 2])
})
