// Tests that an independent client (CosmJS) reads the same demo chain as the transport and decoder of Rollcall.
import { Comet38Client } from '@cosmjs/tendermint-rpc'
import { expect, onTestFinished, test } from 'vitest'
import { startDemoNode } from '../../infra/app/demo/demo-node.ts'
import { createLogger } from '../../infra/base/runtime/logger.ts'
import { createMetrics } from '../../infra/base/runtime/metrics.ts'
import { createChainNode } from '../../ingest/comet/endpoints/node-pool.ts'
import { openTestRecording } from '../support/chain/test-recording.ts'

test('CosmJS and Rollcall agree on every event of every block of the demo chain', async () => {
  const recording = openTestRecording()
  const { manifest } = recording
  const replay = await startDemoNode({ recording, preload: manifest.lastHeight })
  onTestFinished(() => replay.close())
  const logger = createLogger({ service: 'test', level: 'silent' })
  const metrics = createMetrics('test')
  const ours = await createChainNode({ urls: [replay.url], logger, metrics })
  onTestFinished(() => ours.close())
  const theirs = await Comet38Client.connect(replay.url)
  onTestFinished(() => theirs.disconnect())
  let events = 0
  for (let height = manifest.firstHeight; height <= manifest.lastHeight; height += 7) {
    const [block, results] = await Promise.all([ours.block(height), theirs.blockResults(height)])
    const blockEvents = results.finalizeBlockEvents
    const isEnd = (event: (typeof blockEvents)[number]) =>
      event.attributes.at(-1)?.key === 'mode' && event.attributes.at(-1)?.value === 'EndBlock'
    const expected = [
      ...blockEvents.filter((event) => !isEnd(event)),
      ...results.results.flatMap((result) => result.events),
      ...blockEvents.filter(isEnd),
    ]
    expect(block.events.map(({ type, attributes }) => ({ type, attributes }))).toEqual(
      expected.map(({ type, attributes }) => ({ type, attributes: [...attributes] })),
    )
    expect(block.txs.map(({ code }) => code)).toEqual(results.results.map(({ code }) => code))
    events += expected.length
  }
  expect(events).toBeGreaterThan(1_000)
})
