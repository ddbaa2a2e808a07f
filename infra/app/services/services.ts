// The services of Rollcall: the four of a deployment, and the two of one machine, which share the log of its data directory. A process
// loads the packages of its own service only.
import { existsSync } from 'node:fs'
import { Type } from 'typebox'
import {
  limitSettings,
  listenSettings,
  publicSettings,
  readApiConfig,
} from '../../../api/config.ts'
import type { Api, ApiOptions } from '../../../api/main.ts'
import { readAuthConfig } from '../../../auth/config.ts'
import type { Auth, AuthOptions } from '../../../auth/main.ts'
import { readIngestConfig } from '../../../ingest/config.ts'
import type { IngestOptions } from '../../../ingest/main.ts'
import { PROJECTIONS_CONFIG } from '../../../projections/config.ts'
import type { ProjectionsOptions } from '../../../projections/main.ts'
import { createStore } from '../../base/clickhouse/client.ts'
import { readStoreAccess } from '../../base/clickhouse/settings.ts'
import { bothReady, type Readiness } from '../../base/http/operators.ts'
import { openEmbeddedLog } from '../../base/log/embedded-log.ts'
import type { EventLog } from '../../base/log/event-log.ts'
import { usesKafka } from '../../base/log/kafka-settings.ts'
import { type Environment, readConfig } from '../../base/runtime/config.ts'
import { createMetrics } from '../../base/runtime/metrics.ts'
import { policies } from '../../base/runtime/policies.ts'
import { retry } from '../../base/runtime/retry.ts'
import { resolveDataPaths } from '../data-dir.ts'
import { readDataDir } from '../machine-settings.ts'
import { readTogether } from '../read-together.ts'
import { ask } from '../tools/rollcall-client.ts'
import {
  type Deployment,
  failLater,
  type Running,
  readDeployment,
  requireLogin,
  requireStore,
  runLedService,
  type Term,
} from './deployment.ts'
import type { Host, Service, ServiceParts } from './service-process.ts'

/** Less than the time after which `rollcall start` kills a child. */
const PART_STOP_BUDGET_MS = 2_500

/** On the operator port of each process that serves the API: the projections have committed, so the checkpoint is read at once. */
export const WAKE_PATH = '/wake'

const wakeSettings = Type.Object({
  wakeUrl: Type.Optional(
    Type.String({ env: 'WAKE_URL', description: 'Gets a POST after each commit' }),
  ),
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

const openStore = (
  access: Parameters<typeof requireStore>[0],
  { lifecycle, logger }: Pick<Host, 'lifecycle' | 'logger'>,
) => {
  const store = createStore({ ...requireStore(access), logger })
  lifecycle.onShutdown('store', () => store.close())
  return store
}

const runIngest = async (options: Omit<IngestOptions, 'metrics'>): Promise<Running> => {
  const { startIngest } = await import('../../../ingest/main.ts')
  const metrics = createMetrics('ingest')
  return { metrics, ...(await startIngest({ ...options, metrics })) }
}

const runProjections = async (
  options: Omit<ProjectionsOptions, 'metrics' | 'config'>,
): Promise<Running> => {
  const { startProjections } = await import('../../../projections/main.ts')
  const metrics = createMetrics('projections')
  const { done, progress, close } = await startProjections({
    ...options,
    config: PROJECTIONS_CONFIG,
    metrics,
  })
  const readiness = (): Readiness => {
    const { height, stopped } = progress()
    const reasons = [...stopped].map(([id, reason]) => `proposal ${id}: ${reason}`)
    const isProjected = height !== undefined
    return { ready: isProjected, reasons: isProjected ? reasons : ['no height is projected yet'] }
  }
  return { metrics, done, readiness, close }
}

const runApi = async (
  options: Omit<ApiOptions, 'logger' | 'metrics'>,
  { lifecycle, logger, metrics, actions }: ServiceParts,
): Promise<Api> => {
  const { startApi } = await import('../../../api/main.ts')
  const own = createMetrics('api')
  metrics.push(own)
  const api = await startApi({ ...options, logger, metrics: own })
  lifecycle.onShutdown('api', () => api.close())
  actions.set(WAKE_PATH, api.wake)
  return api
}

const runAuth = async (
  options: Omit<AuthOptions, 'logger' | 'metrics'>,
  { lifecycle, logger, metrics }: Host,
): Promise<Auth> => {
  const { startAuth } = await import('../../../auth/main.ts')
  const own = createMetrics('auth')
  metrics.push(own)
  const auth = await startAuth({ ...options, logger, metrics: own })
  lifecycle.onShutdown('auth', () => auth.close())
  // A process that only checks tokens never needs them.
  if (options.makesKeys !== false) void auth.fetchIssuerKeys()
  return auth
}

/** `deployment` if the log of agents is on Kafka. */
type AgentsSettings = { dataDir: string; deployment: Deployment | undefined }

const readAgentsSettings = (env: Environment): AgentsSettings =>
  readTogether({
    dataDir: () => readDataDir(env),
    deployment: () => (usesKafka(env) ? readDeployment(env) : undefined),
  })

/** The log of agents on Kafka if configured, else in the data directory; undefined if it is only to be read and there is none. */
const openAgents = async (
  { dataDir, deployment }: AgentsSettings,
  { logger, lifecycle }: Host,
  readOnly = false,
): Promise<{ log: EventLog; keysPath: string } | undefined> => {
  const { agentsLogPath: path, keysPath } = resolveDataPaths(dataDir)
  if (deployment) {
    const { openKafkaSharedLog } = await import('../../base/log/kafka-log.ts')
    const { log, checked } = openKafkaSharedLog({
      ...deployment,
      subject: 'agents',
      logger,
      readOnly,
    })
    // A topic that would lose facts ends the process; unavailable brokers only delay it.
    failLater(checked, lifecycle)
    return { log, keysPath }
  }
  if (readOnly && !existsSync(path)) return undefined
  const log = await openEmbeddedLog(readOnly ? { path, readOnly } : { path, shared: true })
  return { log, keysPath }
}

const createLeadership = async (
  service: 'ingest' | 'projections',
  deployment: Deployment,
  { logger }: Host,
) => {
  const { createKafkaLeadership } = await import('../../base/log/kafka-leadership.ts')
  const groupId = `rollcall-${service}-${deployment.chainId}`
  return createKafkaLeadership({ ...deployment, groupId, logger })
}

/** On Kafka: one process leads and appends, the others are on standby. */
const startIngestService: Service['start'] = async (parts) => {
  const { env, logger } = parts
  // A deployment has one chain: endpoints of another chain are refused.
  const { deployment, config } = readTogether({
    deployment: () => readDeployment(env),
    config: () => readIngestConfig(env),
  })
  const { openKafkaLog } = await import('../../base/log/kafka-log.ts')
  const begin = async ({ signal, closeLater }: Term): Promise<Running> => {
    // Opening it for writing fences the previous leader.
    const log = closeLater(await openKafkaLog({ ...deployment, logger, signal }))
    return await runIngest({ config, log, logger })
  }
  const leadership = await createLeadership('ingest', deployment, parts)
  return runLedService({ ...parts, name: 'ingest', leadership, begin })
}

/** One process leads and writes the store, the others are on standby. */
const startProjectionsService: Service['start'] = async (parts) => {
  const { env, logger, lifecycle } = parts
  const { deployment, access } = readTogether({
    deployment: () => readDeployment(env),
    access: () => requireStore(readStoreAccess(env)),
  })
  const { openKafkaLog } = await import('../../base/log/kafka-log.ts')
  const { prepareStore } = await import('../../../projections/read-model/prepare.ts')
  const store = openStore(access, parts)
  await requireLogin(store, access, lifecycle)
  const begin = async ({ signal, closeLater }: Term): Promise<Running> => {
    // Without a limit: the services of a deployment may start in any order.
    const waitFor = <Result>(what: string, attempt: () => Promise<Result>): Promise<Result> =>
      retry(attempt, {
        ...policies.dependency,
        signal,
        onRetry: ({ error }) => logger.warn({ reason: error.message }, `waited for ${what}`),
      })
    await waitFor('the store', () => prepareStore(access, logger))
    const open = () => openKafkaLog({ ...deployment, readOnly: true, logger })
    const log = closeLater(await waitFor('the log', open))
    return await runProjections({ log, store, logger })
  }
  const leadership = await createLeadership('projections', deployment, parts)
  return runLedService({ ...parts, name: 'projections', leadership, begin })
}

/** Stateless. It checks tokens only with a log of agents and a public URL as their audience. Reading needs no token. */
const startApiService: Service['start'] = async (parts) => {
  const { env, lifecycle } = parts
  const settings = readTogether({
    access: () => requireStore(readStoreAccess(env)),
    api: () => readApiConfig(env),
    auth: () => readAuthConfig(env),
    agents: () => readAgentsSettings(env),
  })
  const { access, api: config, auth: authConfig } = settings
  const store = openStore(access, parts)
  await requireLogin(store, access, lifecycle)
  const { baseUrl } = config
  const agents = baseUrl && (await openAgents(settings.agents, parts, true))
  const auth = agents
    ? await runAuth({ ...agents, config: authConfig, baseUrl, makesKeys: false }, parts)
    : undefined
  const tokens = auth ? { verifyBearer: auth.verifyBearer } : {}
  const api = await runApi({ config, store, ...tokens }, parts)
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
  const opened = (await openAgents(agents, parts))!
  const auth = await runAuth({ ...opened, config, baseUrl: listen.baseUrl }, parts)
  const { startAuthService: listenForAuth } = await import('../../../auth/main.ts')
  const service = await listenForAuth({ ...listen, auth, logger })
  lifecycle.onShutdown('auth server', () => service.close())
  return auth.ready
}

/** Ingest and the projections in one process, on the embedded log of a data directory. */
const startWriter: Service['start'] = async (parts) => {
  const { env, lifecycle, logger, metrics } = parts
  const { paths, access, config, wake } = readTogether({
    paths: () => resolveDataPaths(readDataDir(env)),
    access: () => requireStore(readStoreAccess(env)),
    config: () => readIngestConfig(env),
    wake: () => readConfig(wakeSettings, env),
  })
  const store = openStore(access, parts)
  const log = await openEmbeddedLog({ path: paths.logPath })
  lifecycle.onShutdown('event log', () => log.close())
  const attach = (name: string, running: Running): Running => {
    metrics.push(running.metrics)
    lifecycle.onShutdown(name, running.close)
    running.done.catch((error: unknown) => lifecycle.fail(error))
    return running
  }
  const onCommitted = wake.wakeUrl ? createWaker(new URL(wake.wakeUrl)) : () => {}
  attach('projections', await runProjections({ log, store, logger, onCommitted }))
  return attach('ingest', await runIngest({ config, log, logger })).readiness
}

/** Each commit of the writer wakes the reader, so it polls only for rebuilds and for a silent writer. */
const WOKEN_POLL_MS = 1_000

/** Auth and the API in one process, on the log of agents of a data directory. */
const startReader: Service['start'] = async (parts) => {
  const { env } = parts
  const { dataDir, access, ...configs } = readTogether({
    dataDir: () => readDataDir(env),
    access: () => requireStore(readStoreAccess(env)),
    auth: () => readAuthConfig(env),
    api: () => readApiConfig(env),
  })
  const store = openStore(access, parts)
  const agents = (await openAgents({ dataDir, deployment: undefined }, parts))!
  const { baseUrl } = configs.api
  const auth = await runAuth({ ...agents, config: configs.auth, baseUrl }, parts)
  const { verifyBearer, plugin: authPlugin } = auth
  const config = { ...configs.api, pollMs: WOKEN_POLL_MS }
  const api = await runApi({ config, store, verifyBearer, authPlugin }, parts)
  return () => bothReady(api.ready(), auth.ready())
}

const KAFKA = 'KAFKA_BROKERS=kafka-1:9092,kafka-2:9092 CHAIN_ID=cosmoshub-4'
const CLICKHOUSE = 'CLICKHOUSE_URL=https://clickhouse.example.org:8443'

/** The processes of a deployment, each a command. Those of `rollcall start` share its data directory, which only it locks. */
export const SERVICES = {
  ingest: {
    name: 'ingest',
    summary: 'run only ingest, into Kafka; one instance leads, others are on standby',
    examples: [
      [
        `${KAFKA} CHAIN_RPC_URLS=https://rpc.example.org rollcall ingest`,
        'run one on each of two machines: if one fails, the other takes over',
      ],
    ],
    start: startIngestService,
  },
  projections: {
    name: 'projections',
    summary: 'run only the projections, from Kafka into ClickHouse; one instance leads',
    examples: [
      [`${KAFKA} ${CLICKHOUSE} rollcall projections`, 'creates missing databases and tables'],
    ],
    start: startProjectionsService,
  },
  api: {
    name: 'api',
    summary: 'run only the read API, on ClickHouse; any number of instances',
    examples: [
      [
        `${CLICKHOUSE} CLICKHOUSE_USERNAME=rollcall HOST=0.0.0.0 rollcall api`,
        'listen on port 8080 of all addresses; set CLICKHOUSE_PASSWORD too',
      ],
    ],
    start: startApiService,
  },
  auth: {
    name: 'auth',
    summary: 'run only auth: registration, tokens, claims, revocation; any number of instances',
    examples: [
      [
        'BASE_URL=https://gov.example.org DATA_DIR=/srv/rollcall HOST=0.0.0.0 PORT=8081 rollcall auth',
        'behind a gateway that routes /agent, /oauth2, /delegation and /.well-known to it',
      ],
    ],
    start: startAuthService,
  },
  writer: {
    name: 'writer',
    summary: 'run ingest and the projections',
    isPart: true,
    stopBudgetMs: PART_STOP_BUDGET_MS,
    start: startWriter,
  },
  reader: {
    name: 'reader',
    summary: 'run auth and the API',
    isPart: true,
    stopBudgetMs: PART_STOP_BUDGET_MS,
    start: startReader,
  },
} as const satisfies Record<string, Service>

export type ServiceName = keyof typeof SERVICES
