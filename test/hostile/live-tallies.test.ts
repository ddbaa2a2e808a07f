// Compares the live tally of an open vote on the recorded chain, at every height, with the node's own tally query.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMetrics } from '../../infra/base/runtime/metrics.ts'
import type { ChainNode } from '../../ingest/comet/node.ts'
import { createChainNode } from '../../ingest/comet/node-pool.ts'
import { ofType, readEvents } from '../support/chain/ingest-run.ts'
import {
  compareLiveTallies,
  createChainAt,
  type LiveTallies,
} from '../support/chain/live-tallies.ts'
import { type DemoLog, indexDemoChain } from '../support/log/demo-log.ts'
import { silentLogger } from '../support/process/log-lines.ts'

describe('the live tally of an open vote', () => {
  let demo: DemoLog
  let node: ChainNode
  let live: LiveTallies

  beforeAll(async () => {
    demo = await indexDemoChain()
    node = await createChainNode({
      urls: [demo.replay.url],
      logger: silentLogger(),
      metrics: createMetrics('test'),
    })
    live = await compareLiveTallies(await readEvents(demo.log), createChainAt(node))
  })
  afterAll(async () => {
    await node?.close()
    await demo?.remove()
  })

  it('equals the answer of the node at every height, to the unit, and each pool row with it', {
    tags: 'projections:live-tally',
  }, () => {
    expect(live.differences.slice(0, 20)).toEqual([])
    expect(live.unknown).toBe(0)
    expect(live.compared).toBeGreaterThan(1_000)
    expect(live.poolRows).toBeGreaterThan(10_000)
  })

  it('is compared on a chain with moving stake during open votes', async () => {
    const events = await readEvents(demo.log)
    expect(ofType(events, 'rollcall.stake.changed.v1').length).toBeGreaterThan(10)
  })
})
