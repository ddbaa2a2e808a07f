// Indexes and projects the recorded demo chain into a separate ClickHouse, for tests of analysts' access.
import { join } from 'node:path'
import { createStore } from '../../../infra/base/clickhouse/client.ts'
import { startEmbeddedClickHouse } from '../../../infra/base/clickhouse/embedded-server.ts'
import type { ReaderLimits } from '../../../infra/base/clickhouse/readers.ts'
import { createTables, pointViews } from '../../../projections/read-model/prepare.ts'
import { projectDemoChain } from '../api/demo-store.ts'
import { silentLogger } from '../process/log-lines.ts'
import { createTemporaryDirectory } from '../process/temporary-directory.ts'

const ANALYST = { username: 'analyst', password: 'read only', reads: ['rollcall.v_*'] }
const LEAST_LIMITS: Partial<ReaderLimits> = {
  maxExecutionSeconds: 1,
  maxMemoryBytes: 32 * 1024 * 1024,
  maxResultRows: 10,
  queriesPerMinute: 1_000,
  queriesPerHour: 6,
}

export type AnalystRig = Awaited<ReturnType<typeof startAnalystRig>>

export const startAnalystRig = async () => {
  const directory = createTemporaryDirectory('analysts')
  const hastyUser = { ...ANALYST, username: 'hasty', limits: LEAST_LIMITS }
  const engine = await startEmbeddedClickHouse({
    dataDir: join(directory.path, 'clickhouse'),
    password: 'all',
    readers: [ANALYST, hastyUser],
    logger: silentLogger(),
  })
  /** With the permissions of the service itself. */
  const store = createStore(engine)
  const analyst = createStore({ url: engine.url, ...ANALYST })
  /** The same read permissions, and minimal limits. */
  const hasty = createStore({ url: engine.url, ...hastyUser })
  const stop = async () => {
    for (const each of [store, analyst, hasty]) await each.close()
    await engine.close()
    directory.remove()
  }
  try {
    await createTables(store, { control: 'rollcall', generation: 1 })
    await pointViews(store, { control: 'rollcall', generation: 1 })
    await projectDemoChain(store)
  } catch (error) {
    await stop()
    throw error
  }
  return { store, analyst, hasty, url: engine.url, directory: directory.path, stop }
}
