// Runs the projections as a separate process: one leads and writes the store, the others are on standby.
import { PROJECTIONS_CONFIG } from '../../../projections/config.ts'
import { type ProjectionsOptions, startProjections } from '../../../projections/main.ts'
import { prepareStore } from '../../../projections/read-model/prepare.ts'
import { createStore } from '../../base/clickhouse/client.ts'
import { readStoreAccess } from '../../base/clickhouse/settings.ts'
import type { Readiness } from '../../base/http/operators.ts'
import type { Logger } from '../../base/runtime/logger.ts'
import { createMetrics } from '../../base/runtime/metrics.ts'
import { policies } from '../../base/runtime/policies.ts'
import { retry } from '../../base/runtime/retry.ts'
import { readTogether } from '../read-together.ts'
import {
  readDeployment,
  requireLogin,
  requireStore,
  runLedService,
  type Term,
} from './deployment.ts'
import type { Running, Service } from './service-process.ts'

export const runProjections = async (
  options: Omit<ProjectionsOptions, 'metrics'>,
): Promise<Running> => {
  const metrics = createMetrics('projections')
  const { done, progress, close } = await startProjections({ ...options, metrics })
  const readiness = (): Readiness => {
    const { height, stopped } = progress()
    const reasons = [...stopped].map(([id, reason]) => `proposal ${id}: ${reason}`)
    const isProjected = height !== undefined
    return { ready: isProjected, reasons: isProjected ? reasons : ['no height is projected yet'] }
  }
  return { metrics, done, readiness, close }
}

/** Without a limit: the services of a deployment may start in any order. */
const waitFor = <T>(
  what: string,
  attempt: () => Promise<T>,
  { logger, signal }: { logger: Logger; signal: AbortSignal },
): Promise<T> =>
  retry(attempt, {
    ...policies.dependency,
    signal,
    onRetry: ({ error }) => logger.warn({ reason: error.message }, `waited for ${what}`),
  })

export const projectionsService: Service = {
  name: 'projections',
  start: async (parts) => {
    const { env, logger, lifecycle } = parts
    const { deployment, access } = readTogether({
      deployment: () => readDeployment(env),
      access: () => requireStore(readStoreAccess(env)),
    })
    const { createLeadership } = await import('./kafka.ts')
    const { openKafkaLog } = await import('../../base/log/kafka-log.ts')
    const store = createStore({ ...access, logger })
    lifecycle.onShutdown('store', () => store.close())
    await requireLogin(store, access, lifecycle)
    const begin = async ({ signal, closeLater }: Term): Promise<Running> => {
      await waitFor('the store', () => prepareStore(access, logger), { logger, signal })
      const open = () => openKafkaLog({ ...deployment, readOnly: true, logger })
      const log = closeLater(await waitFor('the log', open, { logger, signal }))
      return await runProjections({ log, config: PROJECTIONS_CONFIG, store, logger })
    }
    const leadership = createLeadership('projections', deployment, logger)
    return runLedService({ ...parts, name: 'projections', leadership, begin })
  },
}
