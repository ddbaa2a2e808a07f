// Compares the live tally of an open vote on the recorded chain, at the height of each reading, with the node's own tally query.
import { describe, expect, it, onTestFinished } from 'vitest'
import { startDemoNode } from '../../infra/app/demo/demo-node.ts'
import { createMetrics } from '../../infra/base/runtime/metrics.ts'
import type { BlockSource, ChainNode } from '../../ingest/comet/endpoints/node.ts'
import { createChainNode } from '../../ingest/comet/endpoints/node-pool.ts'
import { startIngest } from '../../ingest/main.ts'
import { ingestConfig, readEvents } from '../support/chain/ingest-run.ts'
import { compareLiveTallies, createChainAt } from '../support/chain/live-tallies.ts'
import { openTestRecording } from '../support/chain/test-recording.ts'
import { liveReadings } from '../support/chain/vote-run.ts'
import { openMemoryLog } from '../support/log/memory-log.ts'
import { silentLogger } from '../support/process/log-lines.ts'

/** Each block is the last one when it is followed. */
const followAtTip = (node: ChainNode, tip: number): BlockSource => ({
  follow: async function* ({ from, signal }) {
    for (let height = from; height <= tip && !signal.aborted; height++) {
      yield { block: await node.block(height), tip: height }
    }
    if (!signal.aborted) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    }
  },
})

/** Indexes a recorded chain as a live one. */
const setup = async () => {
  const recording = openTestRecording()
  const replay = await startDemoNode({ recording, preload: Number.MAX_SAFE_INTEGER })
  const tip = replay.height()
  const logger = silentLogger()
  const metrics = createMetrics('ingest')
  const node = await createChainNode({ urls: [replay.url], logger, metrics: createMetrics('test') })
  const log = openMemoryLog()
  const source = followAtTip(node, tip)
  const config = ingestConfig({ CHAIN_RPC_URLS: replay.url })
  const ingest = await startIngest({ config, log, logger, metrics, node, source })
  onTestFinished(async () => {
    await ingest.close()
    await node.close()
    await replay.close()
  })
  while (((await log.last())?.height ?? 0) < tip) {
    await Promise.race([ingest.done, new Promise((resolve) => setTimeout(resolve, 5))])
  }
  const events = await readEvents(log)
  return { events, live: await compareLiveTallies(events, createChainAt(node)) }
}

describe('the live tally of an open vote', () => {
  it('equals the answer of the node at the height of each reading, to the unit, and each pool row with it', {
    tags: 'projections:live-tally',
  }, async () => {
    const { live, events } = await setup()
    expect(live.differences.slice(0, 20)).toEqual([])
    expect(live).toMatchObject({ unknown: 0, reported: 0 })
    expect(live.compared).toBeGreaterThan(40)
    expect(live.poolRows).toBeGreaterThan(1_000)
    const moved = liveReadings(events).filter(
      ({ data }) => data.params !== undefined && !data.allBallots && data.ballots.length > 0,
    )
    expect(moved.length).toBeGreaterThan(10)
  })
})
