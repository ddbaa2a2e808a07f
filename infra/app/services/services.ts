// The services: those of a deployment, and the two of one machine, which share the log of its data directory. A process
// loads the packages of its own service only.
import { existsSync } from 'node:fs'
import { Type } from 'typebox'
import {
  limitSettings,
  listenSettings,
  publicSettings,
  readApiConfig,
} from '../../../api/config.ts'
import { readAuthConfig } from '../../../auth/config.ts'
import type { AuthOptions } from '../../../auth/main.ts'
import { type IngestConfig, readIngestConfig } from '../../../ingest/config.ts'
import { PROJECTIONS_CONFIG } from '../../../projections/config.ts'
import { checkLogin } from '../../base/clickhouse/check-server.ts'
import { createStore, type Store } from '../../base/clickhouse/client.ts'
import { readStoreAccess, type StoreAccess } from '../../base/clickhouse/settings.ts'
import { bothReady, type Readiness } from '../../base/http/operators.ts'
import { openEmbeddedLog } from '../../base/log/embedded-log.ts'
import type { EventLog } from '../../base/log/event-log.ts'
import type { Leadership } from '../../base/log/kafka-leadership.ts'
import { readKafkaConfig, usesKafka } from '../../base/log/kafka-settings.ts'
import { untilAborted } from '../../base/runtime/abort.ts'
import { configInvalid, type Environment, readConfig } from '../../base/runtime/config.ts'
import { AppError, hasCode } from '../../base/runtime/errors.ts'
import { createLifecycle, type Lifecycle } from '../../base/runtime/lifecycle.ts'
import { createMetrics, type Metrics } from '../../base/runtime/metrics.ts'
import { policies } from '../../base/runtime/policies.ts'
import { retry } from '../../base/runtime/retry.ts'
import { resolveDataPaths } from '../data-dir.ts'
import { readDataDir } from '../machine-settings.ts'
import { readChainId } from '../open-data.ts'
import { readTogether } from '../read-together.ts'
import { ask } from '../tools/rollcall-client.ts'
import type { Service, ServiceParts } from './service-process.ts'

/** Less than the time after which `rollcall start` kills a child. */
const PART_STOP_BUDGET_MS = 2_500

/** On the operator port of each process that serves the API: the projections have committed, so the checkpoint is read at once. */
export const WAKE_PATH = '/wake'

const wakeSettings = Type.Object({
  wakeUrl: Type.String({ env: 'WAKE_URL', description: 'Gets a POST after each commit' }),
})

/** A failed call delays the reader until its next poll. Commits during a call share the next one. */
export function createWaker(url: URL): () => void {
  let calls: Promise<unknown> = Promise.resolve()
  let isWaiting = false
  const call = () => {
    isWaiting = false
    return ask(url, () => undefined, { method: 'POST' })
  }
  return () => {
    if (!isWaiting) calls = calls.then(call)
    isWaiting = true
  }
}

const readDeployment = (env: Environment) =>
  readTogether({ settings: () => readKafkaConfig(env), chainId: () => readChainId(env) })

export function readStore(env: Environment): StoreAccess {
  const access = readStoreAccess(env)
  if (access) return access
  throw configInvalid([
    'CLICKHOUSE_URL is not set: separate services need a shared ClickHouse server',
  ])
}

/** A failure ends the process, except that of a wait which its shutdown has ended. */
async function failLater(work: Promise<void>, { signal, fail }: Lifecycle): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(signal.aborted && hasCode(error, 'ABORTED'))) fail(error)
  }
}

/** The metrics of a part of a process. */
function addMetrics(name: string, { metrics }: Pick<ServiceParts, 'metrics'>): Metrics {
  const own = createMetrics(name)
  metrics.push(own)
  return own
}

/** Without a limit: the services of a deployment may start in any order. */
const waitFor = <Result>(
  what: string,
  { lifecycle: { signal }, logger }: Pick<ServiceParts, 'lifecycle' | 'logger'>,
  attempt: () => Promise<Result>,
): Promise<Result> =>
  retry(attempt, {
    ...policies.dependency,
    signal,
    onRetry: ({ error }) => logger.warn({ reason: error.message }, `waited for ${what}`),
  })

/**
 * Throws `CONFIG_INVALID` if the store rejects the credentials. A store that does not answer is asked until it does;
 * a later rejection goes to the lifecycle, also on standby.
 */
export async function openStore(
  access: StoreAccess,
  parts: Pick<ServiceParts, 'lifecycle' | 'logger'>,
  create: typeof createStore = createStore,
): Promise<Store> {
  const { lifecycle } = parts
  const store = create(access)
  lifecycle.onShutdown('store', () => store.close())
  const check = () => checkLogin(store, access)
  try {
    await check()
  } catch (error) {
    if (!(error instanceof AppError && error.retryable)) throw error
    void failLater(waitFor('the store', parts, check), lifecycle)
  }
  return store
}

/** The longest timer: the end of a term has no time limit, but that of the process has one. */
const NO_LIMIT_MS = 2 ** 31 - 1

/**
 * While this process leads, the service runs with a lifecycle of its own, which is that of its term. Otherwise it is on standby. A
 * failure that a new term would repeat goes to the lifecycle of the process.
 */
export function runLed(
  name: string,
  leadership: Leadership,
  parts: ServiceParts,
  start: Service['start'],
): () => Readiness {
  const { lifecycle, logger, metrics } = parts
  addMetrics(name, parts).gauge({
    name: 'leading',
    help: '1 while this process leads, 0 on standby; exactly one process should lead',
    measure: () => (leadership.state() === 'leading' ? 1 : 0),
  })
  const lasting = metrics.length
  let ready: (() => Readiness) | undefined
  const serve = async (lost: AbortSignal): Promise<void> => {
    const term = createLifecycle({ logger, budgetMs: NO_LIMIT_MS, isReported: () => true })
    const signal = AbortSignal.any([lost, term.signal])
    try {
      ready = await start({ ...parts, lifecycle: { ...term, signal } })
      await untilAborted(signal)
    } finally {
      await term.shutdown('the term has ended')
      metrics.length = lasting
      ready = undefined
    }
    const failure = term.failure()
    if (failure !== undefined) throw failure
  }
  const led = failLater(leadership.lead(serve, lifecycle.signal), lifecycle)
  lifecycle.onShutdown(name, () => led)
  return () => {
    if (leadership.state() === 'standby') {
      return { ready: true, reasons: ['on standby: another process leads'] }
    }
    return ready?.() ?? { ready: false, reasons: ['its term is starting'] }
  }
}

const runIngest = async (log: EventLog, config: IngestConfig, parts: ServiceParts) => {
  const { lifecycle, logger } = parts
  const { startIngest } = await import('../../../ingest/main.ts')
  const metrics = addMetrics('ingest', parts)
  const { done, readiness, close } = await startIngest({ config, log, logger, metrics })
  lifecycle.onShutdown('ingest', close)
  done.catch(lifecycle.fail)
  return readiness
}

const runProjections = async (
  log: EventLog,
  store: Store,
  parts: ServiceParts,
  onCommitted = () => {},
) => {
  const { lifecycle, logger } = parts
  const { startProjections } = await import('../../../projections/main.ts')
  const metrics = addMetrics('projections', parts)
  const options = { config: PROJECTIONS_CONFIG, log, store, logger, metrics, onCommitted }
  const { done, progress, close } = await startProjections(options)
  lifecycle.onShutdown('projections', close)
  done.catch(lifecycle.fail)
  return (): Readiness => {
    const { height, stopped } = progress()
    if (height === undefined) return { ready: false, reasons: ['no height is projected yet'] }
    return {
      ready: true,
      reasons: [...stopped].map(([id, reason]) => `proposal ${id}: ${reason}`),
    }
  }
}

const runAuth = async (setup: Omit<AuthOptions, 'logger' | 'metrics'>, parts: ServiceParts) => {
  const { startAuth } = await import('../../../auth/main.ts')
  const { lifecycle, logger } = parts
  const auth = await startAuth({ ...setup, logger, metrics: addMetrics('auth', parts) })
  lifecycle.onShutdown('auth', () => auth.close())
  // A process that only checks tokens never needs them.
  if (setup.makesKeys !== false) void auth.fetchIssuerKeys()
  return auth
}

const readAgentsSettings = (env: Environment) =>
  readTogether({
    dataDir: () => readDataDir(env),
    deployment: () => (usesKafka(env) ? readDeployment(env) : undefined),
  })

/** The log of agents on Kafka if configured, else in the data directory; undefined if it is only to be read and there is none. */
const openAgents = async (
  { dataDir, deployment }: ReturnType<typeof readAgentsSettings>,
  { logger, lifecycle }: ServiceParts,
  readOnly: boolean,
): Promise<{ log: EventLog; keysPath: string } | undefined> => {
  const { agentsLogPath: path, keysPath } = resolveDataPaths(dataDir)
  if (deployment) {
    const { openKafkaSharedLog } = await import('../../base/log/kafka-log.ts')
    const options = { ...deployment, subject: 'agents', logger, readOnly } as const
    const { log, checked } = openKafkaSharedLog(options)
    // A topic that would lose facts ends the process; unavailable brokers only delay it.
    void failLater(checked, lifecycle)
    return { log, keysPath }
  }
  if (readOnly && !existsSync(path)) return undefined
  const log = await openEmbeddedLog(readOnly ? { path, readOnly } : { path, shared: true })
  return { log, keysPath }
}

/** On Kafka: one process of the service leads, and has the log of events while it does. */
const startLed = async (
  service: 'ingest' | 'projections',
  deployment: ReturnType<typeof readDeployment>,
  parts: ServiceParts,
  start: (openLog: () => Promise<EventLog>, term: ServiceParts) => Promise<() => Readiness>,
) => {
  const { logger } = parts
  const { createKafkaLeadership } = await import('../../base/log/kafka-leadership.ts')
  const { openKafkaLog } = await import('../../base/log/kafka-log.ts')
  const groupId = `rollcall-${service}-${deployment.chainId}`
  const leadership = createKafkaLeadership({ ...deployment, groupId, logger })
  return runLed(service, leadership, parts, (term) => {
    const { signal, onShutdown } = term.lifecycle
    const options = { ...deployment, logger }
    const openLog = async () => {
      // Opening it for writing creates it, and fences the previous leader.
      const log = await (service === 'ingest'
        ? openKafkaLog({ ...options, signal })
        : waitFor('the log', term, () => openKafkaLog({ ...options, readOnly: true })))
      onShutdown('log', () => log.close())
      return log
    }
    return start(openLog, term)
  })
}

const startIngestService: Service['start'] = (parts) => {
  // A deployment has one chain: endpoints of another chain are refused.
  const { deployment, config } = readTogether({
    deployment: () => readDeployment(parts.env),
    config: () => readIngestConfig(parts.env),
  })
  return startLed('ingest', deployment, parts, async (openLog, term) =>
    runIngest(await openLog(), config, term),
  )
}

const startProjectionsService: Service['start'] = async (parts) => {
  const { env } = parts
  const { deployment, access } = readTogether({
    deployment: () => readDeployment(env),
    access: () => readStore(env),
  })
  const { prepareStore } = await import('../../../projections/read-model/prepare.ts')
  const store = await openStore(access, parts)
  return startLed('projections', deployment, parts, async (openLog, term) => {
    // The tables first: the API reads them also before there is a log.
    await waitFor('the store', term, () => prepareStore(access))
    return runProjections(await openLog(), store, term)
  })
}

/** Each commit of the writer wakes the reader, so it polls only for rebuilds and for a silent writer. */
const WOKEN_POLL_MS = 1_000

/**
 * The API. The reader of a machine has auth in the same process. That of a deployment is stateless: it checks tokens only with a log of
 * agents and a public URL as their audience. Reading needs no token.
 */
const startApiService =
  (hasAuth: boolean): Service['start'] =>
  async (parts) => {
    const { env, lifecycle, logger, actions } = parts
    const { access, config, authConfig, agentsSettings } = readTogether({
      access: () => readStore(env),
      config: () => readApiConfig(env),
      authConfig: () => readAuthConfig(env),
      agentsSettings: () => readAgentsSettings(env),
    })
    const { baseUrl } = config
    const store = await openStore(access, parts)
    const checksTokens = hasAuth || baseUrl !== undefined
    const agents = checksTokens && (await openAgents(agentsSettings, parts, !hasAuth))
    const auth =
      agents &&
      (await runAuth({ ...agents, config: authConfig, baseUrl, makesKeys: hasAuth }, parts))
    const { startApi } = await import('../../../api/main.ts')
    const api = await startApi({
      config: hasAuth ? { ...config, pollMs: WOKEN_POLL_MS } : config,
      store,
      logger,
      metrics: addMetrics('api', parts),
      ...(auth ? { verifyBearer: auth.verifyBearer } : {}),
      ...(auth && hasAuth ? { authPlugin: auth.plugin } : {}),
    })
    lifecycle.onShutdown('api', () => api.close())
    actions.set(WAKE_PATH, api.wake)
    return () => (auth ? bothReady(api.ready(), auth.ready()) : api.ready())
  }

const authListenSettings = Type.Object({
  ...listenSettings.properties,
  ...Type.Pick(publicSettings, ['trustProxy']).properties,
  ...Type.Pick(limitSettings, ['rateLimitPerMinute', 'maxConnectionsPerAddress']).properties,
})

/** Any number of processes, all on the same log of agents. */
const startAuthService: Service['start'] = async (parts) => {
  const { env, lifecycle, logger } = parts
  const { listen, config, agents } = readTogether({
    listen: () => readConfig(authListenSettings, env),
    agents: () => readAgentsSettings(env),
    config: () => readAuthConfig(env),
  })
  const opened = (await openAgents(agents, parts, false))!
  const auth = await runAuth({ ...opened, config, baseUrl: listen.baseUrl }, parts)
  const { startAuthService: listenForAuth } = await import('../../../auth/main.ts')
  const service = await listenForAuth({ ...listen, auth, logger })
  lifecycle.onShutdown('auth server', () => service.close())
  return auth.ready
}

/** Ingest and the projections in one process, on the embedded log of a data directory. */
const startWriter: Service['start'] = async (parts) => {
  const { env, lifecycle } = parts
  const { paths, access, config, wake } = readTogether({
    paths: () => resolveDataPaths(readDataDir(env)),
    access: () => readStore(env),
    config: () => readIngestConfig(env),
    wake: () => readConfig(wakeSettings, env),
  })
  const store = await openStore(access, parts)
  const log = await openEmbeddedLog({ path: paths.logPath })
  lifecycle.onShutdown('event log', () => log.close())
  const wakeReader = createWaker(new URL(wake.wakeUrl))
  const projected = await runProjections(log, store, parts, wakeReader)
  const indexed = await runIngest(log, config, parts)
  return () => bothReady(indexed(), projected())
}

/** The processes of a deployment, and the two of one machine: they share its data directory, which only `rollcall start` locks. */
export const SERVICES = {
  ingest: { name: 'ingest', start: startIngestService },
  projections: { name: 'projections', start: startProjectionsService },
  api: { name: 'api', start: startApiService(false) },
  auth: { name: 'auth', start: startAuthService },
  writer: { name: 'writer', start: startWriter, stopBudgetMs: PART_STOP_BUDGET_MS },
  reader: { name: 'reader', start: startApiService(true), stopBudgetMs: PART_STOP_BUDGET_MS },
} as const satisfies Record<string, Service>
