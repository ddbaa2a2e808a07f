// Runs ingest and the projections in one process on the embedded log of a data directory: the writer of one machine.
import { readIngestConfig } from '../../../ingest/config.ts'
import { PROJECTIONS_CONFIG } from '../../../projections/config.ts'
import { createStore } from '../../base/clickhouse/client.ts'
import { readStoreAccess } from '../../base/clickhouse/settings.ts'
import { openEmbeddedLog } from '../../base/log/embedded-log.ts'
import { resolveDataPaths } from '../data-dir/data-dir.ts'
import { readDataDir } from '../machine-settings.ts'
import { readTogether } from '../read-together.ts'
import { requireStore } from './deployment.ts'
import { runIngest } from './ingest.ts'
import { runProjections } from './projections.ts'
import { attach, MACHINE_STOP_BUDGET_MS, type Service } from './service-process.ts'
import { createWaker, readWakeConfig } from './wake.ts'

export const writerService: Service = {
  name: 'writer',
  stopBudgetMs: MACHINE_STOP_BUDGET_MS,
  start: async (parts) => {
    const { env, lifecycle, logger } = parts
    const settings = readTogether({
      paths: () => resolveDataPaths(readDataDir(env)),
      store: () => requireStore(readStoreAccess(env)),
      ingest: () => readIngestConfig(env),
      wake: () => readWakeConfig(env),
    })
    const { logPath } = settings.paths
    const store = createStore({ ...settings.store, logger })
    lifecycle.onShutdown('store', () => store.close())
    const log = await openEmbeddedLog({ path: logPath })
    lifecycle.onShutdown('event log', () => log.close())
    const projections = await runProjections({
      config: PROJECTIONS_CONFIG,
      log,
      store,
      logger,
      onCommitted: createWaker(settings.wake.wakeUrl),
    })
    attach('projections', projections, parts)
    const config = settings.ingest
    const ingest = await runIngest({ config, log, logger })
    attach('ingest', ingest, parts)
    return ingest.readiness
  },
}
