// Tests the tip of an endpoint that serves no headers.
import { expect, it, onTestFinished } from 'vitest'
import { createMetrics } from '../../../../../infra/base/runtime/metrics.ts'
import { createChainNode } from '../../../../../ingest/comet/endpoints/node-pool.ts'
import { recordingLogger } from '../../../../support/process/log-lines.ts'
import { createBlockChain } from '../../../../support/simulator/block-chain.ts'
import { startNode } from '../../../../support/simulator/nodes/node.ts'

it('finds the tip where a gateway forbids headers, and blames nobody', async () => {
  const chain = createBlockChain({ blocks: 30 })
  const served = await startNode({
    chain,
    reply: (call, honest) =>
      honest(call.method === 'blockchain' ? { ...call, method: 'unknown' } : call),
  })
  onTestFinished(served.close)
  const { logger, lines } = recordingLogger()
  const node = await createChainNode({
    urls: [served.url],
    settings: { retryBudgetMs: 0 },
    logger,
    metrics: createMetrics('ingest'),
  })
  onTestFinished(node.close)
  expect(await node.latestHeight()).toBe(30)
  chain.add()
  expect(await node.latestHeight()).toBe(31)
  expect(lines).toEqual([])
})
