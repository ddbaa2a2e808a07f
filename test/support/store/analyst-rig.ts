// Indexes and projects the recorded demo chain into a separate ClickHouse, for tests of analysts' access.
import { join } from 'node:path'
import { createStore, type Store } from '../../../infra/base/clickhouse/client.ts'
import { startEmbeddedClickHouse } from '../../../infra/base/clickhouse/embedded-server.ts'
import type { ReaderLimits } from '../../../infra/base/clickhouse/readers.ts'
import { openEmbeddedLog } from '../../../infra/base/log/embedded-log.ts'
import type { EventLog } from '../../../infra/base/log/event-log.ts'
import { createMetrics } from '../../../infra/base/runtime/metrics.ts'
import { startIngest } from '../../../ingest/main.ts'
import { createTables, pointViews } from '../../../projections/read-model/prepare.ts'
import { ingestConfig } from '../chain/ingest-run.ts'
import { startTestNode } from '../chain/test-recording.ts'
import { projectAll } from '../fold/run-projections.ts'
import { silentLogger } from '../process/log-lines.ts'
import { createTemporaryDirectory } from '../process/temporary-directory.ts'

export type AnalystRig = {
  /** With the permissions of the service itself. */
  store: Store
  /** As the user `analyst`. */
  analyst: Store
  /** As the user `hasty` with the same read permissions and minimal limits. */
  hasty: Store
  url: string
  directory: string
  stop(): Promise<void>
}

const ANALYST = { username: 'analyst', password: 'read only', reads: ['rollcall.v_*'] }
export const LEAST_LIMITS: Partial<ReaderLimits> = {
  maxExecutionSeconds: 1,
  maxMemoryBytes: 32 * 1024 * 1024,
  maxResultRows: 10,
  queriesPerMinute: 1_000,
  queriesPerHour: 6,
}

const indexDemo = async (log: EventLog): Promise<void> => {
  const replay = await startTestNode({ preload: Number.MAX_SAFE_INTEGER })
  const tip = replay.height()
  const ingest = await startIngest({
    config: ingestConfig({ CHAIN_RPC_URLS: replay.url }, { maxBatchHeights: 50 }),
    log,
    logger: silentLogger(),
    metrics: createMetrics('ingest'),
  })
  let fault: unknown
  ingest.done.catch((error: unknown) => {
    fault = error
  })
  while (fault === undefined && ((await log.last())?.height ?? 0) < tip) {
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await ingest.close()
  await replay.close()
  if (fault !== undefined) throw fault
}

export const startAnalystRig = async (): Promise<AnalystRig> => {
  const directory = createTemporaryDirectory('analysts')
  const log = await openEmbeddedLog({ path: join(directory.path, 'log') })
  const hastyUser = { ...ANALYST, username: 'hasty', limits: LEAST_LIMITS }
  const engine = await startEmbeddedClickHouse({
    dataDir: join(directory.path, 'clickhouse'),
    password: 'all',
    readers: [ANALYST, hastyUser],
    logger: silentLogger(),
  })
  const store = createStore(engine)
  const analyst = createStore({ url: engine.url, ...ANALYST })
  const hasty = createStore({ url: engine.url, ...hastyUser })
  const stop = async () => {
    for (const each of [store, analyst, hasty]) await each.close()
    await engine.close()
    await log.close()
    directory.remove()
  }
  try {
    await createTables(store, { control: 'rollcall', generation: 1 })
    await pointViews(store, { control: 'rollcall', generation: 1 })
    await indexDemo(log)
    await projectAll(log, store)
  } catch (error) {
    await stop()
    throw error
  }
  return { store, analyst, hasty, url: engine.url, directory: directory.path, stop }
}
