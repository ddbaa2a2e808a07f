// Tests the comparison of blocks while an endpoint goes down.
import { expect, it, onTestFinished } from 'vitest'
import { AppError } from '../../../../../infra/base/runtime/errors.ts'
import { createMetrics } from '../../../../../infra/base/runtime/metrics.ts'
import type { Endpoint } from '../../../../../ingest/comet/endpoints/endpoint.ts'
import { createNodeHealth } from '../../../../../ingest/comet/endpoints/endpoint-health.ts'
import {
  createChainNode,
  nodePoolDefaults,
} from '../../../../../ingest/comet/endpoints/node-pool.ts'
import { createRing } from '../../../../../ingest/comet/endpoints/ring.ts'
import { createWindow } from '../../../../../ingest/comet/endpoints/window.ts'
import { createFakeClock } from '../../../../support/process/fake-clock.ts'
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

it('asks a balancer of which some nodes have pruned a height no longer than its reader waits', async () => {
  const block = createWindow()
  block.refused(5)
  block.served(4)
  const known = { isOfAnotherChain: false, tip: 0 }
  const endpoints = [{ known, windows: { block, state: createWindow() } } as unknown as Endpoint]
  const clock = createFakeClock()
  const { signal } = new AbortController()
  const ring = createRing({
    endpoints,
    settings: nodePoolDefaults,
    clock,
    logger: silentLogger(),
    health: createNodeHealth(clock),
    signal,
  })
  const refuse = async () => {
    throw new AppError('HEIGHT_UNAVAILABLE', 'pruned')
  }
  const readFor = (patience: { budgetMs?: number }) =>
    ring.repeat({ kept: 'block', height: 5, ...patience }, refuse)
  await expect(readFor({ budgetMs: 1_000 })).rejects.toThrow('pruned')
  expect(clock.now()).toBeGreaterThan(100)
  expect(clock.now()).toBeLessThanOrEqual(1_000)
  await expect(readFor({})).rejects.toThrow('pruned')
  expect(clock.now()).toBeGreaterThan(3_000)
})
