// A child of the supervisor with only the projections: the writer projects the given log, the reader only runs.
// Its argument is its name; `CONTROL` is the control database.

import { resolveDataPaths } from '../../../infra/app/data-dir.ts'
import { runService, type ServiceParts } from '../../../infra/app/services/service-process.ts'
import { readStore } from '../../../infra/app/services/services.ts'
import { createStore } from '../../../infra/base/clickhouse/client.ts'
import { openEmbeddedLog } from '../../../infra/base/log/embedded-log.ts'
import { createMetrics } from '../../../infra/base/runtime/metrics.ts'
import { PROJECTIONS_CONFIG } from '../../../projections/config.ts'
import { startProjections } from '../../../projections/main.ts'

const startWriter = async ({ env, lifecycle, logger }: ServiceParts): Promise<void> => {
  const { DATA_DIR: dataDir = '', CONTROL: control = '' } = env
  const store = createStore(readStore(env))
  lifecycle.onShutdown('store', () => store.close())
  const log = await openEmbeddedLog({ path: resolveDataPaths(dataDir).logPath, readOnly: true })
  lifecycle.onShutdown('event log', () => log.close())
  const projections = await startProjections({
    log,
    store,
    logger,
    control,
    metrics: createMetrics('projections'),
    config: { ...PROJECTIONS_CONFIG, batchEvents: 20 },
  })
  lifecycle.onShutdown('projections', () => projections.close())
  projections.done.catch((error: unknown) => lifecycle.fail(error))
}

const [name = ''] = process.argv.slice(2)
const start = async (parts: ServiceParts) => {
  if (name === 'writer') await startWriter(parts)
  return () => ({ ready: true, reasons: [] })
}
await runService({ name, start }, { env: process.env, process, isSupervised: true })
