// Tests ingest on Kafka: the recorded chain gives the same bytes as on the embedded log, also over several terms.
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import type { DemoNode } from '../../infra/app/demo/demo-node.ts'
import { openEmbeddedLog } from '../../infra/base/log/embedded-log.ts'
import type { EventLog } from '../../infra/base/log/event-log.ts'
import { createKafkaLeadership } from '../../infra/base/log/kafka-leadership.ts'
import { openKafkaLog } from '../../infra/base/log/kafka-log.ts'
import { createMetrics } from '../../infra/base/runtime/metrics.ts'
import { startIngest } from '../../ingest/main.ts'
import { ingestConfig, readRecordTexts } from '../support/chain/ingest-run.ts'
import { startTestNode } from '../support/chain/test-recording.ts'
import { kafkaConfig, ownChainId } from '../support/kafka/kafka-log-storage.ts'
import { silentLogger } from '../support/process/log-lines.ts'
import { createTemporaryDirectory } from '../support/process/temporary-directory.ts'

/** The chain id of the topic; the chain itself keeps its own. */
const chainId = ownChainId()
const logger = silentLogger()
const tidy: (() => unknown)[] = []
let replay: DemoNode
let tip: number

beforeAll(async () => {
  replay = await startTestNode({ preload: Number.MAX_SAFE_INTEGER })
  tidy.push(() => replay.close())
  tip = replay.height()
})
afterAll(async () => {
  for (const undo of tidy.toReversed()) await undo()
})

/** Runs until the log has the height or the signal fires; throws the fatal error of ingest. */
const ingestUpTo = async (log: EventLog, height: number, signal?: AbortSignal): Promise<void> => {
  const ingest = await startIngest({
    config: ingestConfig({ CHAIN_RPC_URLS: replay.url }, { maxBatchHeights: 50 }),
    metrics: createMetrics('ingest'),
    log,
    logger,
  })
  let fault: unknown
  ingest.done.catch((error: unknown) => {
    fault = error
  })
  while (fault === undefined && !signal?.aborted && ingest.progress().height < height) {
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await ingest.close()
  if (fault !== undefined) throw fault
}

it('appends the same events, byte for byte, as on the embedded log, over three terms of three leaders', {
  tags: 'infra:logs-are-equal',
}, async () => {
  const directory = createTemporaryDirectory('ingest')
  tidy.push(directory.remove)
  const embedded = await openEmbeddedLog({ path: join(directory.path, 'log') })
  tidy.push(embedded.close)
  await ingestUpTo(embedded, tip)
  const settings = kafkaConfig(inject('kafkaBrokers'))
  for (const height of [Math.floor(tip / 3), Math.floor((2 * tip) / 3), tip]) {
    const stopping = new AbortController()
    const groupId = `rollcall-ingest-${chainId}`
    const leadership = createKafkaLeadership({ settings, groupId, logger })
    await leadership.lead(async (signal) => {
      const log = await openKafkaLog({ settings, chainId, logger, signal })
      await ingestUpTo(log, height, signal)
      await log.close()
      stopping.abort()
    }, stopping.signal)
  }
  const reader = await openKafkaLog({ settings, chainId, logger, readOnly: true })
  tidy.push(reader.close)
  const found = await readRecordTexts(reader)
  expect(found.length).toBeGreaterThan(500)
  expect(found).toEqual(await readRecordTexts(embedded))
  for (const height of [1, Math.floor(tip / 2), tip]) {
    const at = { maxRecords: 1, maxBytes: 1 }
    const [inKafka] = await reader.read(await reader.offsetOfHeight(height), at)
    const [inEmbedded] = await embedded.read(await embedded.offsetOfHeight(height), at)
    expect(inKafka?.height).toBe(inEmbedded?.height)
    expect(inKafka?.timeMs).toBe(inEmbedded?.timeMs)
  }
})
