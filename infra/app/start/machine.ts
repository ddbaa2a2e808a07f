// `rollcall start`: opens the data directory, plans the machine, keeps its engine and its services running, prints the address, and
// stops everything. It must leave no process behind.
import { DEMO_NOTE } from '../../../ingest/contract/demo-chain.ts'
import { CONTROL_DATABASE } from '../../../projections/contract/database.ts'
import { prepareStore } from '../../../projections/read-model/prepare.ts'
import {
  type EmbeddedClickHouseOptions,
  startEmbeddedClickHouse,
} from '../../base/clickhouse/embedded-server.ts'
import { ENGINE_USER } from '../../base/clickhouse/engine-config.ts'
import type { StoreAccess } from '../../base/clickhouse/settings.ts'
import {
  bothReady,
  type OperatorsServerOptions,
  type Readiness,
  startOperatorsServer,
} from '../../base/http/operators.ts'
import { openEmbeddedLog } from '../../base/log/embedded-log.ts'
import { unlessAborted } from '../../base/runtime/abort.ts'
import { pause } from '../../base/runtime/clock.ts'
import type { Environment } from '../../base/runtime/config.ts'
import { EXIT_CODES, isUserFacing } from '../../base/runtime/exit-codes.ts'
import { createLifecycle } from '../../base/runtime/lifecycle.ts'
import { createLogger, type Logger } from '../../base/runtime/logger.ts'
import { createMetrics } from '../../base/runtime/metrics.ts'
import { policies } from '../../base/runtime/policies.ts'
import {
  findFreePort,
  LOOPBACK,
  localUrl,
  randomLoopback,
  requireUsablePorts,
} from '../../base/runtime/ports.ts'
import { locateModule } from '../../base/runtime/product-files.ts'
import { retry } from '../../base/runtime/retry.ts'
import { type DataDir, openDataDir, type RunInfo } from '../data-dir.ts'
import type { IndexedBlock } from '../indexed-block.ts'
import { isDemo, type MachineConfig, newPassword, serviceEnvironment } from '../machine-settings.ts'
import { runProcess, SUPERVISED } from '../services/service-process.ts'
import { WAKE_PATH } from '../services/services.ts'
import { createProgressMeter, progressText } from '../terminal/progress.ts'
import { createTerminal, loadLineFormatter, type Terminal } from '../terminal/terminal.ts'
import { ask, fetchHealth, isFollowing } from '../tools/rollcall-client.ts'
import { followChain } from './followed-chain.ts'
import { keepRunning, type Run, spawnService, watch } from './supervisor.ts'

/** Longer than the shutdown of a service, shorter than the limit of the machine. */
const STOP_CHILD_MS = 3_000
/** Time limit of the shutdown; the rest of the guaranteed 5 s is for the exit itself. */
const STOP_BUDGET_MS = 4_500

type Settings = {
  env: Environment
  config: MachineConfig
  /** A ClickHouse server of the operator. */
  store: StoreAccess | undefined
  /** Where the API listens; port 0 is any free one. */
  api: { host: string; port: number }
  /** The chain that the command names. */
  chain: string | undefined
}

/** In the order of their start. */
export const MACHINE_SERVICES = ['writer', 'reader'] as const
type MachineService = (typeof MACHINE_SERVICES)[number]

type Plan = Readonly<Record<MachineService, { env: Environment; operatorsUrl: string }>> & {
  /** The address for users. */
  apiUrl: string
  store: StoreAccess
  /** What a service gets over a pipe: it is in no environment and on no command line. */
  secrets: Environment
  /** Absent for a ClickHouse server of the operator: it is never watched and never stopped. */
  engine?: Omit<EmbeddedClickHouseOptions, 'logger'>
  /** Of the engine, for users of the same machine. */
  shown?: Pick<RunInfo, 'analyst' | 'httpPort' | 'tcpPort'>
}

/** The documented views, without their tables and without internal tables. */
const ANALYST_READS = [`${CONTROL_DATABASE}.v_*`]

const planEngine = async (config: MachineConfig, storePath: string) => {
  const { clickhouseHttpPort, clickhouseTcpPort, analystPassword } = config
  // A configured port is at the usual loopback address, to which users connect.
  const isPublic = clickhouseHttpPort !== undefined || clickhouseTcpPort !== undefined
  const host = isPublic ? LOOPBACK : randomLoopback()
  const httpPort = clickhouseHttpPort ?? (await findFreePort(host))
  const tcp = clickhouseTcpPort === undefined ? {} : { tcpPort: clickhouseTcpPort }
  const analyst = { username: 'analyst', password: analystPassword ?? newPassword() }
  const password = newPassword()
  const readers = [{ ...analyst, reads: ANALYST_READS }]
  return {
    store: { url: localUrl({ host, port: httpPort }), username: ENGINE_USER, password },
    engine: { dataDir: storePath, host, httpPort, ...tcp, password, readers },
    shown: { analyst, httpPort, ...tcp },
  }
}

/**
 * Made before anything starts: what is started again keeps its ports and passwords, which its users have. `env` has the settings of
 * the chain.
 */
export async function planMachine(
  { config, store, api }: Pick<Settings, 'config' | 'store' | 'api'>,
  env: Environment,
  dataDir: Pick<DataDir, 'path' | 'storePath'>,
): Promise<Plan> {
  const planned: Pick<Plan, 'store' | 'engine' | 'shown'> = store
    ? { store }
    : await planEngine(config, dataDir.storePath)
  const { url, username, password, cluster } = planned.store
  const port = api.port === 0 ? await findFreePort(api.host) : api.port
  const planService = async (more: Environment) => {
    const host = randomLoopback()
    const operators = { host, port: await findFreePort(host) }
    return {
      operatorsUrl: localUrl(operators),
      env: {
        ...env,
        DATA_DIR: dataDir.path,
        LOG_LEVEL: config.logLevel,
        CLICKHOUSE_URL: url,
        CLICKHOUSE_USERNAME: username,
        CLICKHOUSE_PASSWORD: undefined,
        CLICKHOUSE_CLUSTER: cluster,
        // The logs are those of the data directory.
        KAFKA_BROKERS: undefined,
        OPERATORS_HOST: host,
        OPERATORS_PORT: String(operators.port),
        ...more,
      },
    }
  }
  const reader = await planService({ PORT: String(port) })
  const writer = await planService({ WAKE_URL: new URL(WAKE_PATH, reader.operatorsUrl).href })
  // An empty one is none.
  const secrets = password === '' ? {} : { CLICKHOUSE_PASSWORD: password }
  return { ...planned, apiUrl: localUrl({ host: api.host, port }), secrets, writer, reader }
}

type MachineOptions = Settings & {
  lifecycle: ReturnType<typeof createLifecycle>
  logger: Logger
  terminal: Terminal
  /** Called with each line of output of a child. */
  onLine: (line: string) => void
}

/** Creates or checks the log before any child appends to it. Throws `LOG_DAMAGED` before anything is changed. */
const readLastRecord = async (path: string) => {
  const log = await openEmbeddedLog({ path })
  try {
    return await log.last()
  } finally {
    await log.close()
  }
}

/** The settings with those of the chain: the one that is followed, that of the operator, or the demo chain. */
const openChain = async (options: MachineOptions, dataDir: DataDir): Promise<Environment> => {
  const { env, chain: name, config, lifecycle, terminal } = options
  await readLastRecord(dataDir.agentsLogPath)
  const last = await readLastRecord(dataDir.logPath)
  const indexed: IndexedBlock | undefined =
    last && (await import('../indexed-block.ts')).decodeIndexedBlock(last)
  const { signal } = lifecycle
  const followed = await followChain({ ...options, ...dataDir, name, indexed, signal })
  if (followed) return followed
  if (!isDemo(env)) return env
  terminal.print(`CHAIN_RPC_URLS is not set. ${DEMO_NOTE}`)
  const { startDemoChain } = await import('../demo/demo-node.ts')
  const { demoBlockMs: blockMs, demoRecording: recordingDir } = config
  const demo = await startDemoChain({ blockMs, recordingDir, indexed })
  lifecycle.onShutdown('demo chain', () => demo.close())
  return serviceEnvironment(env, demo.url)
}

/** Those of the settings. A supervisor that was killed leaves children that end without it. */
const requirePorts = async (options: MachineOptions, wasKilled: boolean): Promise<void> => {
  const { config, api, store, lifecycle } = options
  const { operatorsHost: host, operatorsPort: port } = config
  const { clickhouseHttpPort = 0, clickhouseTcpPort = 0 } = store ? {} : config
  const uses = [
    { setting: 'PORT', ...api },
    { setting: 'OPERATORS_PORT', host, port },
    { setting: 'CLICKHOUSE_HTTP_PORT', host: LOOPBACK, port: clickhouseHttpPort },
    { setting: 'CLICKHOUSE_TCP_PORT', host: LOOPBACK, port: clickhouseTcpPort },
  ]
  await retry(() => requireUsablePorts(uses), {
    ...policies.portsAfterKill,
    when: () => wasKilled,
    signal: lifecycle.signal,
  })
}

/** A ready service may have reasons too: notes for operators. */
const readReadiness = async (name: string, url: string): Promise<Readiness> => {
  const answer = await ask(new URL('/readyz', url), ({ status, text }): Readiness => {
    const { ready: _, reasons = [], ...details } = JSON.parse(text) as Partial<Readiness>
    return { ready: status === 200, reasons: reasons.map((each) => `${name}: ${each}`), details }
  })
  return answer ?? { ready: false, reasons: [`${name}: does not answer`] }
}

type Machine = {
  plan: Pick<Plan, MachineService>
  /** The reason of each child that does not run, by its name. */
  down: ReadonlyMap<string, string>
}

const readMachine = async ({ plan, down }: Machine): Promise<Readiness> => {
  const running = MACHINE_SERVICES.filter((name) => !down.has(name))
  const reasons = [...down].map(([child, reason]) => `${child}: ${reason}`)
  const answers = await Promise.all(
    running.map((name) => readReadiness(name, plan[name].operatorsUrl)),
  )
  return answers.reduce(bothReady, { ready: reasons.length === 0, reasons })
}

/** The operator port of the machine merges those of its services. One that does not answer has no metrics and is not ready. */
export function startMachineOperators(
  machine: Machine & Pick<OperatorsServerOptions, 'host' | 'port' | 'logger'>,
) {
  return startOperatorsServer({
    ...machine,
    metrics: [createMetrics('supervisor')],
    ready: () => readMachine(machine),
    moreMetrics: async () => {
      const read = (name: MachineService) =>
        ask(new URL('/metrics', machine.plan[name].operatorsUrl), ({ text }) => text)
      return (await Promise.all(MACHINE_SERVICES.map(read))).join('')
    },
  })
}

/** Starts the engine if there is one, and creates the tables. */
const startStore = async (
  { engine, store }: Plan,
  { lifecycle, logger }: Pick<MachineOptions, 'lifecycle' | 'logger'>,
): Promise<Run> => {
  const running = engine && (await startEmbeddedClickHouse({ ...engine, logger }))
  try {
    await prepareStore(store)
  } catch (error) {
    await running?.close()
    throw error
  }
  const started = Promise.resolve()
  if (!running) return { started, exited: new Promise(() => {}), stop: () => Promise.resolve() }
  watch(running, { signal: lifecycle.signal, logger }).catch(lifecycle.fail)
  return { started, exited: running.exited, stop: running.close }
}

/** What ingest reads at the start of a log, and then of the past. */
type Reading = { reading?: string; history?: { text: string | null } }

const POLL_MS = 500
/** Once it follows the chain: every request counts against the rate limit of the API. */
const FOLLOWING_POLL_MS = 5_000
/** A longer backfill is served while it continues: each page says so. */
const BACKFILL_GRACE_MS = 1_500
/** The same before the first block. */
const READY_GRACE_MS = 10_000

/** Prints the address once, and the progress of a backfill. Ends only when aborted. */
const showProgress = async (
  machine: Machine & { plan: Plan; serves: Promise<void> },
  { terminal, lifecycle: { signal } }: MachineOptions,
): Promise<void> => {
  const { apiUrl } = machine.plan
  const meter = createProgressMeter()
  let servesSinceMs = Number.POSITIVE_INFINITY
  void machine.serves.then(() => {
    servesSinceMs = performance.now()
  })
  let isPrinted = false
  while (!signal.aborted) {
    const [health, { details }] = await Promise.all([
      fetchHealth(apiUrl, signal),
      readMachine(machine),
    ])
    const { reading, history }: Reading = details ?? {}
    const atMs = performance.now()
    const hasCaughtUp = health !== undefined && isFollowing(health)
    const sample = health && meter.add({ atMs, done: health.height, total: health.tip })
    const backfill = sample && !hasCaughtUp && progressText(sample, 'backfill: height', 'heights')
    terminal.progress(backfill || reading || history?.text || '')
    const isLate = atMs - servesSinceMs >= (health ? BACKFILL_GRACE_MS : READY_GRACE_MS)
    if (!isPrinted && (hasCaughtUp || isLate)) {
      isPrinted = true
      terminal.print(
        health
          ? `Rollcall serves ${health.chainId} at ${apiUrl} (height ${health.height})`
          : `Rollcall serves at ${apiUrl}; ${reading ?? 'waiting for the chain'}`,
      )
    }
    await pause(isPrinted && hasCaughtUp ? FOLLOWING_POLL_MS : POLL_MS, signal)
  }
}

/** The program itself: each service is a command of it. */
const CLI = locateModule('infra/app/cli')

/** Resolves once the services are started; later failures go to the lifecycle. */
const startMachine = async (options: MachineOptions): Promise<void> => {
  const { config, lifecycle, logger, onLine } = options
  const { operatorsHost: host, operatorsPort: port } = config
  const dataDir = await openDataDir(config.dataDir)
  lifecycle.onShutdown('data directory', () => dataDir.release())
  await requirePorts(options, dataDir.wasKilled)
  const env = await openChain(options, dataDir)
  const plan = await planMachine(options, env, dataDir)
  const supervised = { lifecycle, logger, down: new Map<string, string>() }
  const operators = await startMachineOperators({ host, port, plan, ...supervised })
  lifecycle.onShutdown('operators', () => operators.close())
  const start = () => startStore(plan, options)
  const engine = keepRunning({ name: 'engine', isRequired: true, start }, supervised)
  lifecycle.onShutdown('engine', engine.stop)
  const keepService = (name: MachineService, isRequired: boolean) => {
    const spawn = () =>
      spawnService({
        command: [CLI, name, `--${SUPERVISED}`],
        env: plan[name].env,
        // It loads its code until the store is prepared.
        settings: engine.works.then(() => plan.secrets),
        onLine,
        stopMs: STOP_CHILD_MS,
      })
    return keepRunning({ name, isRequired, start: spawn }, supervised)
  }
  // Without a writer the reader serves existing data.
  const [writer, reader] = [keepService('writer', false), keepService('reader', true)]
  lifecycle.onShutdown('writer and reader', async () => {
    await Promise.all([writer.stop(), reader.stop()])
  })
  await unlessAborted(engine.works, lifecycle.signal)
  const shown = { plan, serves: reader.works, ...supervised }
  showProgress(shown, options).catch(lifecycle.fail)
  const { apiUrl: url, store: clickhouse } = plan
  const info = { pid: process.pid, url, operatorsUrl: operators.url, clickhouse, ...plan.shown }
  // As soon as the API answers, also during a backfill: commands find the process by this file.
  reader.works.then(() => dataDir.writeRunFile(info)).catch(lifecycle.fail)
}

/** Never resolves: the process exits with a code for the reason. */
export async function runMachine({
  process,
  ...settings
}: Settings & { process: NodeJS.Process }): Promise<void> {
  const terminal = createTerminal(process.stdout, process.stderr)
  // The reader of our output may close the pipe; indexing continues.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const format = await loadLineFormatter(process.stderr)
  const onLine = (line: string) => terminal.logColored(format(line))
  const logger = createLogger({
    service: 'supervisor',
    level: settings.config.logLevel,
    destination: { write: (text) => onLine(text.trimEnd()) },
  })
  let hasStarted = false
  const lifecycle = createLifecycle({
    logger,
    budgetMs: STOP_BUDGET_MS,
    isReported: (error) => !hasStarted || isUserFacing(error),
  })
  lifecycle.onShutdown('progress', async () => terminal.progress(''))
  await runProcess({
    process,
    lifecycle,
    start: async () => {
      await startMachine({ ...settings, lifecycle, logger, terminal, onLine })
      hasStarted = true
    },
    // Second signal: the children notice the end of this process and stop by themselves.
    onSignal: () => {
      if (lifecycle.signal.aborted) process.exit(EXIT_CODES.software)
    },
    report: (failure) =>
      terminal.log(`rollcall: ${failure instanceof Error ? failure.message : failure}`),
  })
}
