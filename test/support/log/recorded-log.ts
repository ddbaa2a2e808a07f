// Indexes all heights of a recording into a log in memory.
import { startDemoNode } from '../../../infra/app/demo/demo-node.ts'
import type { Recording } from '../../../infra/app/demo/recording.ts'
import { createMetrics } from '../../../infra/base/runtime/metrics.ts'
import { startIngest } from '../../../ingest/main.ts'
import { ingestConfig } from '../chain/ingest-run.ts'
import { silentLogger } from '../process/log-lines.ts'
import { openMemoryLog } from './memory-log.ts'

export const indexRecording = async (recording: Recording) => {
  const replay = await startDemoNode({ recording, preload: Number.MAX_SAFE_INTEGER })
  const tip = replay.height()
  const log = openMemoryLog()
  const ingest = await startIngest({
    config: ingestConfig({ CHAIN_RPC_URLS: replay.url }, { maxBatchHeights: 50 }),
    log,
    logger: silentLogger(),
    metrics: createMetrics('ingest'),
  })
  const reached = async () => {
    while (((await log.last())?.height ?? 0) < tip) {
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  await Promise.race([reached(), ingest.done])
  await ingest.close()
  await replay.close()
  return log
}
