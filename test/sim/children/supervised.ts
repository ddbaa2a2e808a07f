// A child of the supervisor with only the projections: the writer projects the given log, the reader only runs.
// Its argument is its role; `CONTROL` is the control database.

import type { StartOrder } from '../../../infra/app/supervisor/messages.ts'
import { runRole } from '../../../infra/app/supervisor/role.ts'
import { createStore } from '../../../infra/base/clickhouse/client.ts'
import { openEmbeddedLog } from '../../../infra/base/log/embedded-log.ts'
import { createLifecycle } from '../../../infra/base/runtime/lifecycle.ts'
import { createLogger } from '../../../infra/base/runtime/logger.ts'
import { createMetrics } from '../../../infra/base/runtime/metrics.ts'
import { startOperatorsServer } from '../../../infra/base/runtime/operators-server.ts'
import { readProjectionsConfig } from '../../../projections/config.ts'
import { startProjections } from '../../../projections/main.ts'

const { CONTROL: control = '' } = process.env
const [role = ''] = process.argv.slice(2)
const logger = createLogger({ service: role, level: 'info' })
const lifecycle = createLifecycle({ logger, budgetMs: 2_500 })

const startWriter = async (order: StartOrder): Promise<void> => {
  const store = createStore({ ...order.store, logger })
  lifecycle.onShutdown('store', () => store.close())
  const log = await openEmbeddedLog({ path: order.logPath, readOnly: true })
  lifecycle.onShutdown('event log', () => log.close())
  const projections = await startProjections({
    log,
    store,
    logger,
    control,
    metrics: createMetrics('projections'),
    config: { ...readProjectionsConfig({}), batchEvents: 20 },
  })
  lifecycle.onShutdown('projections', () => projections.close())
  projections.done.catch((error: unknown) => lifecycle.fail(error))
}

runRole({
  process,
  lifecycle,
  start: async (order) => {
    if (role === 'writer') await startWriter(order)
    const operators = await startOperatorsServer({
      host: '127.0.0.1',
      port: 0,
      metrics: [],
      logger,
      ready: () => ({ ready: true, reasons: [] }),
    })
    lifecycle.onShutdown('operators', () => operators.close())
    return { operatorsUrl: operators.url }
  },
})
