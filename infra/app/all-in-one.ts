// The composition root of one machine: its services, their dependencies and processes.
import { apiSettings, readApiConfig } from '../../api/config.ts'
import { authSettings, readAuthConfig } from '../../auth/config.ts'
import { ingestSettings, readIngestConfig } from '../../ingest/config.ts'
import { projectionsSettings, readProjectionsConfig } from '../../projections/config.ts'
import { createStore, type Store } from '../clickhouse/client.ts'
import { readStoreAccess, storeSettings } from '../clickhouse/settings.ts'
import { openEmbeddedLog } from '../log/embedded-log.ts'
import { kafkaSettings } from '../log/kafka-settings.ts'
import type { Environment } from '../runtime/config.ts'
import { isUserFacing } from '../runtime/exit-codes.ts'
import { createLifecycle } from '../runtime/lifecycle.ts'
import { createLogger } from '../runtime/logger.ts'
import { bothReady, type Readiness, startOperatorsServer } from '../runtime/operators-server.ts'
import { attach, type Host, runApi, runAuth, runIngest, runProjections } from './services/wiring.ts'
import type { ReadyReport, StartOrder } from './supervisor/messages.ts'
import { readTogether } from './supervisor/read-together.ts'
import { type Commits, runRole } from './supervisor/role.ts'
import { machineSettings, readMachineConfig, serviceEnvironment } from './supervisor/settings.ts'
import type { RoleName } from './supervisor/supervise.ts'

/** Less than the time after which the supervisor kills a child. */
const ROLE_BUDGET_MS = 2_500

/** All settings, by purpose. */
export const SETTINGS = [
  ['this machine', machineSettings],
  ['ClickHouse', storeSettings],
  ['Kafka, for separate services', kafkaSettings],
  ['ingest', ingestSettings],
  ['projections', projectionsSettings],
  ['api', apiSettings],
  ['auth', authSettings],
] as const

/** The settings of every service, or `CONFIG_INVALID` with all mistakes. */
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

type RoleParts = Host & {
  env: Environment
  order: StartOrder
  store: Store
  commits: Commits
}

const serveOperators = async (parts: RoleParts, ready: () => Readiness): Promise<string> => {
  const server = await startOperatorsServer({
    metrics: parts.metrics,
    ready,
    // Only the supervisor connects here; it serves operators on their own port.
    host: '127.0.0.1',
    port: 0,
    logger: parts.logger,
  })
  parts.lifecycle.onShutdown('operators', () => server.close())
  return server.url
}

const startWriter = async (parts: RoleParts): Promise<Omit<ReadyReport, 'kind'>> => {
  const { env, order, lifecycle, logger, store, commits } = parts
  const settings = readSettings(env)
  const log = await openEmbeddedLog({ path: order.logPath })
  lifecycle.onShutdown('event log', () => log.close())
  const agentsLog = await openEmbeddedLog({ path: order.agentsLogPath, readOnly: true })
  lifecycle.onShutdown('log of agents', () => agentsLog.close())
  const projections = await runProjections({
    config: settings.projections,
    log,
    agentsLog,
    store,
    logger,
    onCommitted: commits.report,
  })
  attach('projections', projections, parts)
  const ingest = await runIngest({ config: settings.ingest, log, logger })
  attach('ingest', ingest, parts)
  return { operatorsUrl: await serveOperators(parts, ingest.readiness) }
}

const startReader = async (parts: RoleParts): Promise<Omit<ReadyReport, 'kind'>> => {
  const { env, order, store, commits } = parts
  const settings = readSettings(env)
  const agents = {
    log: await openEmbeddedLog({ path: order.agentsLogPath, shared: true }),
    keysPath: order.keysPath,
  }
  const { baseUrl } = settings.api
  const auth = await runAuth({ ...agents, config: settings.auth, baseUrl }, parts)
  const { verifyBearer, plugin: authPlugin } = auth
  const api = await runApi({ config: settings.api, store, verifyBearer, authPlugin }, parts)
  commits.onReport(api.wake)
  const operatorsUrl = await serveOperators(parts, () => bothReady(api.ready(), auth.ready()))
  return { url: api.url, operatorsUrl }
}

const STARTERS = { writer: startWriter, reader: startReader } as const

/** Runs a child process of the supervisor until it ends. */
export const runChild = (role: RoleName, env: Environment, process: NodeJS.Process): void => {
  const logger = createLogger({ service: role, level: readMachineConfig(env).logLevel })
  const lifecycle = createLifecycle({
    logger,
    budgetMs: ROLE_BUDGET_MS,
    isReported: isUserFacing,
  })
  runRole({
    process,
    lifecycle,
    start: async (order, commits) => {
      const store = createStore({ ...order.store, logger })
      lifecycle.onShutdown('store', () => store.close())
      return STARTERS[role]({ env, order, lifecycle, logger, metrics: [], store, commits })
    },
  })
}
