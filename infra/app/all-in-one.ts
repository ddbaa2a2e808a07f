// The composition root of one machine: which services there are, what each is given, and in which process it runs.
import { apiSettings, readApiConfig } from '../../api/config.ts'
import { authSettings, readAuthConfig } from '../../auth/config.ts'
import { ingestSettings, readIngestConfig } from '../../ingest/config.ts'
import { projectionsSettings, readProjectionsConfig } from '../../projections/config.ts'
import { createStore, type Store } from '../clickhouse/client.ts'
import { readStoreAccess, storeSettings } from '../clickhouse/settings.ts'
import { openEmbeddedLog } from '../log/embedded-log.ts'
import { kafkaSettings } from '../log/kafka-settings.ts'
import type { Environment } from '../runtime/config.ts'
import { isForPeople } from '../runtime/exit-codes.ts'
import { createLifecycle, type Lifecycle } from '../runtime/lifecycle.ts'
import { createLogger, type Logger } from '../runtime/logger.ts'
import { createMetrics, type Metrics } from '../runtime/metrics.ts'
import { bothReady, type Readiness, startOperatorsServer } from '../runtime/operators-server.ts'
import type { ReadyReport, StartOrder } from './supervisor/messages.ts'
import { readTogether } from './supervisor/read-together.ts'
import { type Commits, runRole } from './supervisor/role.ts'
import { machineSettings, readMachineConfig, serviceEnvironment } from './supervisor/settings.ts'
import type { RoleName } from './supervisor/supervise.ts'

/** Less than the supervisor waits before it ends a child by force. */
const ROLE_BUDGET_MS = 2_500

/** Every setting there is, by what it is for. */
export const SETTINGS = [
  ['this machine', machineSettings],
  ['ClickHouse', storeSettings],
  ['Kafka, for services that are processes of their own', kafkaSettings],
  ['ingest', ingestSettings],
  ['projections', projectionsSettings],
  ['api', apiSettings],
  ['auth', authSettings],
] as const

/** The settings of every service, or `CONFIG_INVALID` with everything that is wrong with any of them. */
export const readSettings = (env: Environment) => {
  const seen = serviceEnvironment(env)
  return readTogether({
    machine: () => readMachineConfig(env),
    store: () => readStoreAccess(env),
    ingest: () => readIngestConfig(seen),
    projections: () => readProjectionsConfig(seen),
    api: () => readApiConfig(seen),
    auth: () => readAuthConfig(seen),
  })
}

type RoleParts = {
  env: Environment
  order: StartOrder
  lifecycle: Lifecycle
  logger: Logger
  store: Store
  commits: Commits
}

type Operated = { metrics: readonly Metrics[]; ready: () => Readiness }

const serveOperators = async (parts: RoleParts, operated: Operated): Promise<string> => {
  const server = await startOperatorsServer({
    ...operated,
    // Only the supervisor asks here; it answers operators on the port they were told.
    host: '127.0.0.1',
    port: 0,
    log: parts.logger,
  })
  parts.lifecycle.onShutdown('operators', () => server.close())
  return server.url
}

const startWriter = async (parts: RoleParts): Promise<Omit<ReadyReport, 'kind'>> => {
  const { env, order, lifecycle, logger, store, commits } = parts
  // Loaded by the child that runs them alone: the supervisor stays small.
  const { startIngest } = await import('../../ingest/main.ts')
  const { startProjections } = await import('../../projections/main.ts')
  const settings = readSettings(env)
  const log = await openEmbeddedLog({ path: order.logPath })
  lifecycle.onShutdown('event log', () => log.close())

  const agentsLog = await openEmbeddedLog({ path: order.agentsLogPath, readOnly: true })
  lifecycle.onShutdown('log of agents', () => agentsLog.close())

  const metrics = { ingest: createMetrics('ingest'), projections: createMetrics('projections') }
  const projections = await startProjections({
    ...{ log, agentsLog, store, logger },
    config: settings.projections,
    metrics: metrics.projections,
    onCommitted: commits.report,
  })
  lifecycle.onShutdown('projections', () => projections.close())
  projections.done.catch((error: unknown) => lifecycle.fail(error))

  const ingest = await startIngest({
    ...{ log, logger },
    config: settings.ingest,
    metrics: metrics.ingest,
  })
  lifecycle.onShutdown('ingest', () => ingest.close())
  ingest.done.catch((error: unknown) => lifecycle.fail(error))

  const operated = { metrics: Object.values(metrics), ready: ingest.readiness }
  return { operatorsUrl: await serveOperators(parts, operated) }
}

const startReader = async (parts: RoleParts): Promise<Omit<ReadyReport, 'kind'>> => {
  const { env, order, lifecycle, logger, store, commits } = parts
  const { startApi } = await import('../../api/main.ts')
  const { startAuth } = await import('../../auth/main.ts')
  const settings = readSettings(env)
  const metrics = { api: createMetrics('api'), auth: createMetrics('auth') }
  const auth = await startAuth({
    config: settings.auth,
    log: await openEmbeddedLog({ path: order.agentsLogPath, shared: true }),
    keysPath: order.keysPath,
    baseUrl: settings.api.baseUrl,
    ...{ logger, metrics: metrics.auth },
  })
  lifecycle.onShutdown('auth', () => auth.close())
  const api = await startApi({
    ...{ config: settings.api, store, logger, metrics: metrics.api },
    ...{ verifyBearer: auth.verifyBearer, neighbour: auth.plugin },
  })
  lifecycle.onShutdown('api', () => api.close())
  commits.onReport(api.wake)
  const ready = () => bothReady(api.ready(), auth.ready())
  const operatorsUrl = await serveOperators(parts, { metrics: Object.values(metrics), ready })
  return { url: api.url, operatorsUrl }
}

const STARTERS = { writer: startWriter, reader: startReader } as const

/** What a child process of the supervisor does from its first to its last moment. */
export const runChild = (role: RoleName, env: Environment, process: NodeJS.Process): void => {
  const logger = createLogger({ service: role, level: readMachineConfig(env).logLevel })
  const lifecycle = createLifecycle({ log: logger, budgetMs: ROLE_BUDGET_MS, isTold: isForPeople })
  runRole({
    process,
    lifecycle,
    start: async (order, commits) => {
      const store = createStore({ ...order.store, log: logger })
      lifecycle.onShutdown('store', () => store.close())
      return STARTERS[role]({ env, order, lifecycle, logger, store, commits })
    },
  })
}
