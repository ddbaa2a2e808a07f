// The process of the writer or the reader of one machine: starts its services with their dependencies. The supervisor forks
// this module with the name of the role.
import { createStore, type Store } from '../../base/clickhouse/client.ts'
import { openEmbeddedLog } from '../../base/log/embedded-log.ts'
import type { Environment } from '../../base/runtime/config.ts'
import { isUserFacing } from '../../base/runtime/exit-codes.ts'
import { createLifecycle } from '../../base/runtime/lifecycle.ts'
import { createLogger } from '../../base/runtime/logger.ts'
import {
  bothReady,
  type Readiness,
  startOperatorsServer,
} from '../../base/runtime/operators-server.ts'
import {
  attach,
  type Host,
  preloadServices,
  runApi,
  runAuth,
  runIngest,
  runProjections,
} from '../services/wiring.ts'
import { readSettings } from '../settings.ts'
import { type ReadyReport, ROLES, type RoleName, type StartOrder } from './messages.ts'
import { type Commits, runRole } from './role.ts'
import { readMachineConfig } from './settings.ts'

/** Less than the time after which the supervisor kills a child. */
const ROLE_BUDGET_MS = 2_500

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
  const ingest = await runIngest({
    config: settings.ingest,
    log,
    logger,
    largeReadsFile: order.largeReadsFile,
    historyFile: order.historyFile,
  })
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
const SERVICES = { writer: ['projections', 'ingest'], reader: ['auth', 'api'] } as const

const run = (role: RoleName): void => {
  const { env } = process
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
  // The engine starts meanwhile.
  preloadServices(SERVICES[role])
}

const role = ROLES.find((each) => each === process.argv[2])
// It gets its orders over IPC.
if (role && process.connected) run(role)
else throw new Error('started without a supervisor: run "rollcall start"')
