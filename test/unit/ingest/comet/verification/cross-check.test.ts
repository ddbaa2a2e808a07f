// Tests the comparison of blocks while an endpoint goes down.
import { expect, it, onTestFinished } from 'vitest'
import { createMetrics } from '../../../../../infra/base/runtime/metrics.ts'
import { createChainNode } from '../../../../../ingest/comet/endpoints/node-pool.ts'
import { silentLogger } from '../../../../support/process/log-lines.ts'
import { createBlockChain } from '../../../../support/simulator/block-chain.ts'
import { startNode } from '../../../../support/simulator/nodes/node.ts'

it('does not wait for an endpoint that goes down meanwhile', async () => {
  const chain = createBlockChain({ blocks: 20 })
  const started = await Promise.all([startNode({ chain }), startNode({ chain })])
  for (const each of started) onTestFinished(each.close)
  started[1].fault('HTTP 500')
  const node = await createChainNode({
    urls: started.map(({ url }) => url),
    fingerprint: () => 'facts',
    // It counts as down after its third cool-down began: that one would take more than three seconds.
    settings: { coolDownMs: 800, maxCoolDownMs: 60_000 },
    logger: silentLogger(),
    metrics: createMetrics('ingest'),
  })
  onTestFinished(node.close)
  const heights = Array.from({ length: 8 }, (_, index) => index + 2)
  const blocks = await Promise.all(heights.map((height) => node.block(height)))
  expect(blocks.map(({ height }) => height)).toEqual(heights)
})
