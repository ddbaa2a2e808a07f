// The supervisor's own life: opens the data directory, starts what runs in it, tells the person, ends it all.
import { prepareStore } from '../../../projections/read-model/prepare.ts'
import type { StoreAccess } from '../../clickhouse/settings.ts'
import { openEmbeddedLog } from '../../log/embedded-log.ts'
import type { Environment } from '../../runtime/config.ts'
import type { Lifecycle } from '../../runtime/lifecycle.ts'
import type { Logger } from '../../runtime/logger.ts'
import { createMetrics } from '../../runtime/metrics.ts'
import { openDataDir, type RunInfo } from '../data-dir/data-dir.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { type Child, startChild } from './child.ts'
import { startDemoChain } from './demo-chain.ts'
import {
  ANALYST_USER,
  type EngineFacts,
  foreignEngine,
  newPassword,
  startEngine,
} from './machine-engine.ts'
import type { ReadyReport } from './messages.ts'
import { startMachineOperators } from './operators.ts'
import { isDemo, type MachineConfig, serviceEnvironment } from './settings.ts'
import { type ChildName, ROLES, type RoleName, supervise } from './supervise.ts'
import { fetchHealth, type HealthSummary, type WatchOptions, watchHealth } from './watch-health.ts'

/** Longer than a role takes for itself, shorter than the whole machine may take. */
const STOP_CHILD_MS = 3_000

export type MachineOptions = {
  env: Environment
  config: MachineConfig
  /** Instead of the embedded ClickHouse. */
  store: StoreAccess | undefined
  /** The module that runs a role when it is forked with the role's name. */
  entry: string
  lifecycle: Lifecycle
  logger: Logger
  terminal: Terminal
  /** Takes a line that a child wrote. */
  onLine: (line: string) => void
  /** Whether the system has a sandbox for the embedded ClickHouse; asked of the system where absent. */
  canConfine?: () => boolean
}

const NO_SANDBOX =
  'rollcall: this system has no sandbox (Landlock) for the embedded ClickHouse, so there is no user analyst; set CLICKHOUSE_URL to a server of your own for analysts'

type Opened = Awaited<ReturnType<typeof openDataDir>>

/** The last height in the log; undefined in an empty one. Throws `LOG_DAMAGED` before anything is touched. */
const lastIndexedHeight = async (logPath: string): Promise<number | undefined> => {
  const log = await openEmbeddedLog({ path: logPath })
  try {
    return (await log.last())?.height
  } finally {
    await log.close()
  }
}

/** Made, or looked over, before anything that runs here appends to it. */
const checkAgentsLog = async (path: string): Promise<void> => {
  const log = await openEmbeddedLog({ path })
  await log.close()
}

const openChain = async (options: MachineOptions, indexedHeight: number | undefined) => {
  const { env, config, lifecycle } = options
  if (!isDemo(env)) return env
  const demo = await startDemoChain({ blockMs: config.demoBlockMs, indexedHeight })
  lifecycle.onShutdown('demo chain', () => demo.close())
  return serviceEnvironment(env, demo.url)
}

/** What is known of the running parts; a part that is started again is known anew. */
type MachineState = {
  dataDir: Opened
  env: Environment
  reports: Map<RoleName, ReadyReport>
  /** Why a part does not run; without those that do. */
  down: Map<ChildName, string>
  /** Of the embedded engine, once it runs. */
  engine: EngineFacts | undefined
  analyst: { username: string; password: string }
}

/** The same port again for a reader that is started again: its users know that one. */
const toPortSetting = (report: ReadyReport | undefined): Environment =>
  report?.url === undefined ? {} : { PORT: new URL(report.url).port }

/** The reader is woken by each commit of the writer, so that it polls only to see rebuilds and a writer that is silent. */
const SELDOM_POLLED: Environment = { SERVED_STATE_POLL_MS: '500' }

const startRole = (
  options: MachineOptions,
  { dataDir, env, reports }: MachineState,
  { role, store, onCommitted }: { role: RoleName; store: StoreAccess; onCommitted: () => void },
): Child =>
  startChild({
    entry: options.entry,
    args: [role],
    env: { ...SELDOM_POLLED, ...env, OPERATORS_PORT: '0', ...toPortSetting(reports.get(role)) },
    firstOrder: {
      kind: 'start',
      store,
      logPath: dataDir.logPath,
      agentsLogPath: dataDir.agentsLogPath,
      keysPath: dataDir.keysPath,
    },
    onLine: options.onLine,
    onCommitted,
  })

const startParts = (options: MachineOptions, state: MachineState): Promise<StoreAccess> => {
  const { config, lifecycle, logger } = options
  const engine = {
    path: state.dataDir.storePath,
    ports: { httpPort: config.clickhouseHttpPort, tcpPort: config.clickhouseTcpPort },
    analystPassword: state.analyst.password,
    onStarted: (facts: EngineFacts) => {
      if (!facts.isConfined && !state.engine) options.terminal.log(NO_SANDBOX)
      state.engine = facts
    },
    canConfine: options.canConfine,
    logger,
  }
  return supervise({
    parts: {
      startEngine: (previous) =>
        options.store
          ? Promise.resolve(foreignEngine(options.store))
          : startEngine(engine, previous),
      prepareStore: (store) => prepareStore(store, logger),
      startRole: (role, store, onCommitted) =>
        startRole(options, state, { role, store, onCommitted }),
    },
    lifecycle,
    logger,
    stopTimeoutMs: STOP_CHILD_MS,
    onReady: (role, report) => state.reports.set(role, report),
    onDown: (child, reason) => {
      if (reason === undefined) state.down.delete(child)
      else state.down.set(child, reason)
    },
  })
}

const startOperators = async (
  { config, lifecycle, logger }: MachineOptions,
  { reports, down }: MachineState,
): Promise<string> => {
  const server = await startMachineOperators({
    host: config.operatorsHost,
    port: config.operatorsPort,
    metrics: createMetrics('supervisor'),
    roles: () => new Map(ROLES.map((role) => [role, reports.get(role)?.operatorsUrl])),
    down: () => down,
    logger,
  })
  lifecycle.onShutdown('operators', () => server.close())
  return server.url
}

/** How analysts reach the embedded engine. */
const engineAccess = ({ engine, analyst }: MachineState): Partial<RunInfo> => {
  if (!engine) return {}
  const { httpPort, tcpPort, isConfined } = engine
  return {
    httpPort,
    ...(tcpPort === undefined ? {} : { tcpPort }),
    ...(isConfined ? { analyst } : {}),
  }
}

const readyText = (url: string, health: HealthSummary | undefined): string =>
  health
    ? `Rollcall serves ${health.chainId} at ${url} (height ${health.height})`
    : `Rollcall serves at ${url}; the chain has not answered yet`

const watch = (
  options: MachineOptions,
  state: MachineState,
  onReady: WatchOptions['onReady'],
): void => {
  const { lifecycle, terminal } = options
  const { signal } = lifecycle
  const watching = watchHealth({
    readHealth: async () => {
      const url = state.reports.get('reader')?.url
      return url === undefined ? undefined : fetchHealth(url, signal)
    },
    isServing: () => state.reports.has('reader'),
    onReady,
    terminal,
    signal,
  })
  watching.catch((error: unknown) => lifecycle.fail(error))
}

/** Resolves once everything is started; what fails later goes to the lifecycle. */
export const startMachine = async (options: MachineOptions): Promise<void> => {
  const { config, lifecycle, terminal } = options
  const dataDir = await openDataDir(config.dataDir)
  lifecycle.onShutdown('data directory', () => dataDir.release())
  await checkAgentsLog(dataDir.agentsLogPath)
  const env = await openChain(options, await lastIndexedHeight(dataDir.logPath))
  const analyst = { username: ANALYST_USER, password: config.analystPassword ?? newPassword() }
  const state: MachineState = {
    dataDir,
    env,
    analyst,
    reports: new Map(),
    down: new Map(),
    engine: undefined,
  }
  const operatorsUrl = await startOperators(options, state)
  const clickhouse = await startParts(options, state)
  watch(options, state, (health) => {
    const url = state.reports.get('reader')?.url ?? ''
    const { pid } = process
    dataDir.writeRunFile({ pid, url, operatorsUrl, clickhouse, ...engineAccess(state) })
    terminal.print(readyText(url, health))
  })
}
