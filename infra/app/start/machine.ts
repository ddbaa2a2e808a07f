// The supervisor: opens the data directory, starts all children, prints the address, and stops everything. It must leave no process
// behind.
import { DEMO_NOTE } from '../../../ingest/contract/demo-chain.ts'
import { prepareStore } from '../../../projections/read-model/prepare.ts'
import type { StoreAccess } from '../../base/clickhouse/settings.ts'
import { openEmbeddedLog } from '../../base/log/embedded-log.ts'
import type { LogRecord } from '../../base/log/event-log.ts'
import type { Environment } from '../../base/runtime/config.ts'
import { EXIT_CODES, isUserFacing } from '../../base/runtime/exit-codes.ts'
import { createLifecycle, type Lifecycle } from '../../base/runtime/lifecycle.ts'
import { createLogger, type Logger } from '../../base/runtime/logger.ts'
import { createMetrics } from '../../base/runtime/metrics.ts'
import { policies } from '../../base/runtime/policies.ts'
import { LOOPBACK, type PortUse, requireUsablePorts } from '../../base/runtime/ports.ts'
import { locateModule } from '../../base/runtime/product-files.ts'
import { retry } from '../../base/runtime/retry.ts'
import { type DataDir, openDataDir } from '../data-dir/data-dir.ts'
import { isDemo, type MachineConfig, serviceEnvironment } from '../machine-settings.ts'
import { runProcess } from '../services/service-process.ts'
import { SUPERVISED } from '../services/table.ts'
import { loadLineFormatter } from '../terminal/line-formatter.ts'
import { createStage } from '../terminal/progress.ts'
import { createTerminal, type Terminal } from '../terminal/terminal.ts'
import { fetchHealth } from '../tools/rollcall-client.ts'
import { type Child, hasServiceStarted, startChild } from './children.ts'
import { fetchReading, watchHealth } from './console.ts'
import {
  ANALYST_USER,
  type EngineFacts,
  foreignEngine,
  newPassword,
  startEngine,
} from './engine.ts'
import { type FollowOptions, followChain, replaceFailed } from './followed-chain.ts'
import { startMachineOperators } from './operators.ts'
import { type Plan, planServices, toStoreSettings } from './plan.ts'
import { type ChildName, MACHINE_SERVICES, type MachineService, supervise } from './supervise.ts'

/** Longer than the shutdown of a service, shorter than the limit of the machine. */
const STOP_CHILD_MS = 3_000
/** Time limit of the shutdown; the rest of the guaranteed 5 s is for the exit itself. */
const STOP_BUDGET_MS = 4_500

type Settings = {
  env: Environment
  /** The chain that the command names. */
  chain: string | undefined
  config: MachineConfig
  /** Instead of the embedded ClickHouse. */
  store: StoreAccess | undefined
  /** Where the reader listens. */
  api: { host: string; port: number }
}

type MachineOptions = Settings & {
  lifecycle: Lifecycle
  logger: Logger
  terminal: Terminal
  /** Called with each line of output of a child. */
  onLine: (line: string) => void
}

type Machine = {
  dataDir: DataDir
  plan: Plan
  /** The reason of each child that does not run. */
  down: Map<ChildName, string>
  operatorsUrl: string
  /** Every service that has run. */
  started: Set<MachineService>
  /** Endpoints that were chosen since the start. */
  replaced?: Environment
  writer?: Child
}

/** Creates or checks the log before any child appends to it. Throws `LOG_DAMAGED` before anything is changed. */
const readLastRecord = async (path: string): Promise<LogRecord | undefined> => {
  const log = await openEmbeddedLog({ path })
  try {
    return await log.last()
  } finally {
    await log.close()
  }
}

const openChain = async (
  { config, lifecycle }: MachineOptions,
  { env, indexed, terminal, ...follow }: FollowOptions,
): Promise<Environment> => {
  const followed = await followChain({ env, indexed, terminal, ...follow })
  if (followed) return followed
  if (!isDemo(env)) return env
  terminal.print(`CHAIN_RPC_URLS is not set. ${DEMO_NOTE}`)
  const { startDemoChain } = await import('../demo/demo-node.ts')
  const { demoBlockMs: blockMs, demoRecording: recordingDir } = config
  const demo = await startDemoChain({ blockMs, recordingDir, indexed })
  lifecycle.onShutdown('demo chain', () => demo.close())
  return serviceEnvironment(env, demo.url)
}

const listPorts = ({ config, api, store }: Settings): PortUse[] => {
  const uses = [
    { setting: 'PORT', ...api },
    { setting: 'OPERATORS_PORT', host: config.operatorsHost, port: config.operatorsPort },
  ]
  if (store) return uses
  const { clickhouseHttpPort: http = 0, clickhouseTcpPort: tcp = 0 } = config
  return [
    ...uses,
    { setting: 'CLICKHOUSE_HTTP_PORT', host: LOOPBACK, port: http },
    { setting: 'CLICKHOUSE_TCP_PORT', host: LOOPBACK, port: tcp },
  ]
}

/** The program itself: each service is a command of it. */
const CLI = locateModule('infra/app/cli')

/** Supervises the engine, the writer and the reader. `started` has every service that has run. */
const startChildren = (options: MachineOptions, machine: Machine): Promise<StoreAccess> => {
  const { dataDir, plan, down, operatorsUrl, started } = machine
  const { config, lifecycle, logger, terminal, onLine } = options
  const stage = createStage(terminal, 'services')
  const showStarted = (isFirst: boolean): void => {
    const running = ['engine', ...started]
    if (!isFirst) return
    if (started.size < MACHINE_SERVICES.length)
      stage.show(running.length, MACHINE_SERVICES.length + 1, running.join(', '))
    else stage.end(running.join(', '))
  }
  const analyst = { username: ANALYST_USER, password: config.analystPassword ?? newPassword() }
  let engine: EngineFacts | undefined
  let access: StoreAccess | undefined
  const embedded = {
    path: dataDir.storePath,
    ports: { httpPort: config.clickhouseHttpPort, tcpPort: config.clickhouseTcpPort },
    analystPassword: analyst.password,
    onStarted: (facts: EngineFacts) => {
      engine = facts
    },
    logger,
  }
  const writeRunFile = (clickhouse: StoreAccess): void => {
    const { httpPort, tcpPort } = engine ?? {}
    dataDir.writeRunFile({
      pid: process.pid,
      url: plan.apiUrl,
      operatorsUrl,
      clickhouse,
      ...(httpPort === undefined ? {} : { httpPort }),
      ...(tcpPort === undefined ? {} : { tcpPort }),
      ...(engine ? { analyst } : {}),
    })
  }
  stage.show(0, MACHINE_SERVICES.length + 1, 'starting the engine')
  return supervise({
    parts: {
      startEngine: async (previous) =>
        options.store ? foreignEngine(options.store) : startEngine(embedded, previous),
      prepareStore: (store) => {
        access = store
        showStarted(started.size === 0)
        return prepareStore(store, logger)
      },
      startService: (name, store) => {
        const child = startChild({
          command: [CLI, name, `--${SUPERVISED}`],
          env: plan[name].env,
          hasStarted: () => hasServiceStarted(plan[name].operatorsUrl),
          settings: store.then((access) => ({ ...machine.replaced, ...toStoreSettings(access) })),
          onLine,
        })
        if (name === 'writer') machine.writer = child
        return child
      },
    },
    lifecycle,
    logger,
    stopTimeoutMs: STOP_CHILD_MS,
    onStarted: (name) => {
      const isFirst = !started.has(name)
      started.add(name)
      showStarted(isFirst)
      // As soon as the API answers, also during a backfill: commands find the process by this file.
      if (access && name === 'reader') writeRunFile(access)
    },
    onDown: (child, reason) => {
      if (reason === undefined) down.delete(child)
      else down.set(child, reason)
    },
  })
}

/** Resolves once everything is started; later failures go to the lifecycle. */
const startMachine = async (options: MachineOptions): Promise<void> => {
  const { config, lifecycle, logger, terminal } = options
  const { signal } = lifecycle
  const dataDir = await openDataDir(config.dataDir)
  lifecycle.onShutdown('data directory', () => dataDir.release())
  await retry(() => requireUsablePorts(listPorts(options)), {
    ...policies.portsAfterKill,
    when: () => dataDir.wasKilled,
    signal,
  })
  await readLastRecord(dataDir.agentsLogPath)
  const last = await readLastRecord(dataDir.logPath)
  const { path, chainFile } = dataDir
  const follow: FollowOptions = {
    env: options.env,
    name: options.chain,
    chainFile,
    indexed: last && (await import('../indexed-block.ts')).decodeIndexedBlock(last),
    terminal,
    logger,
    signal,
  }
  const env = await openChain(options, follow)
  const plan = await planServices({ env, path, logLevel: config.logLevel, api: options.api })
  const down: Machine['down'] = new Map()
  const operators = await startMachineOperators({
    host: config.operatorsHost,
    port: config.operatorsPort,
    metrics: createMetrics('supervisor'),
    services: new Map(MACHINE_SERVICES.map((name) => [name, plan[name].operatorsUrl])),
    down: () => down,
    logger,
  })
  lifecycle.onShutdown('operators', () => operators.close())
  const started: Machine['started'] = new Set()
  const machine: Machine = { dataDir, plan, down, operatorsUrl: operators.url, started }
  await startChildren(options, machine)
  const replace = async (settings: Environment): Promise<void> => {
    machine.replaced = settings
    logger.warn('replaced endpoints of the chain; the writer is started again with them')
    await machine.writer?.stop(STOP_CHILD_MS)
  }
  replaceFailed(follow, replace).catch((error: unknown) => lifecycle.fail(error))
  const { rewrites: withHistory } = terminal
  const watching = watchHealth({
    readHealth: () => fetchHealth(plan.apiUrl, signal),
    readReading: () => fetchReading(plan.writer.operatorsUrl, { signal, withHistory }),
    isServing: () => started.has('reader'),
    onReady: (health, reading = 'waiting for the chain') =>
      terminal.print(
        health
          ? `Rollcall serves ${health.chainId} at ${plan.apiUrl} (height ${health.height})`
          : `Rollcall serves at ${plan.apiUrl}; ${reading}`,
      ),
    terminal,
    signal,
  })
  watching.catch((error: unknown) => lifecycle.fail(error))
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
  lifecycle.onShutdown('progress', async () => terminal.clearProgress())
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
