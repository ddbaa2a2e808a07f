// Tests the comparison of blocks while an endpoint goes down.
import { expect, it, onTestFinished } from 'vitest'
import { createMetrics } from '../../../../infra/base/runtime/metrics.ts'
import { createChainNode } from '../../../../ingest/comet/node-pool.ts'
import { createFakeChain } from '../../../support/chain/fake-chain.ts'
import { startFakeNode } from '../../../support/chain/fake-node.ts'
import { silentLogger } from '../../../support/process/log-lines.ts'

it('does not wait for an endpoint that goes down meanwhile', async () => {
  const chain = createFakeChain({ blocks: 20 })
  const fakes = await Promise.all([startFakeNode({ chain }), startFakeNode({ chain })])
  for (const fake of fakes) onTestFinished(fake.close)
  fakes[1].fault('HTTP 500')
  const node = await createChainNode({
    urls: fakes.map(({ url }) => url),
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
