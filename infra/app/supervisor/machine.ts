// The supervisor: opens the data directory, starts all children, prints the address, and stops everything.

import { DEMO_NOTE } from '../../../ingest/contract/demo-chain.ts'
import { prepareStore } from '../../../projections/read-model/prepare.ts'
import { LOOPBACK } from '../../base/clickhouse/free-ports.ts'
import type { StoreAccess } from '../../base/clickhouse/settings.ts'
import { openEmbeddedLog } from '../../base/log/embedded-log.ts'
import type { LogRecord } from '../../base/log/event-log.ts'
import type { Environment } from '../../base/runtime/config.ts'
import type { Lifecycle } from '../../base/runtime/lifecycle.ts'
import type { Logger } from '../../base/runtime/logger.ts'
import { createMetrics } from '../../base/runtime/metrics.ts'
import { policies } from '../../base/runtime/policies.ts'
import { type PortUse, requireUsablePorts } from '../../base/runtime/ports.ts'
import { retry } from '../../base/runtime/retry.ts'
import { openDataDir, type RunInfo } from '../data-dir/data-dir.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { type Child, startChild } from './child.ts'
import {
  ANALYST_USER,
  type EngineFacts,
  foreignEngine,
  newPassword,
  startEngine,
} from './machine-engine.ts'
import { type ReadyReport, ROLES, type RoleName } from './messages.ts'
import { startMachineOperators } from './operators.ts'
import { isDemo, type MachineConfig, serviceEnvironment } from './settings.ts'
import { type ChildName, supervise } from './supervise.ts'
import {
  fetchHealth,
  fetchReading,
  type HealthSummary,
  type WatchOptions,
  watchHealth,
} from './watch-health.ts'

/** Longer than the shutdown of a role, shorter than the limit of the machine. */
const STOP_CHILD_MS = 3_000

export type MachineOptions = {
  env: Environment
  config: MachineConfig
  /** Instead of the embedded ClickHouse. */
  store: StoreAccess | undefined
  /** Where the reader listens. */
  api: { host: string; port: number }
  /** The module that runs a role when it is forked with the name of the role. */
  entry: string
  lifecycle: Lifecycle
  logger: Logger
  terminal: Terminal
  /** Called with each line of output of a child. */
  onLine: (line: string) => void
  /** Whether the system has a sandbox for the embedded ClickHouse; by default detected. */
  canConfine?: () => boolean
}

const NO_SANDBOX =
  'rollcall: no sandbox (Landlock) for the embedded ClickHouse, so the user analyst is disabled; for analysts, set CLICKHOUSE_URL to your own server'

type Opened = Awaited<ReturnType<typeof openDataDir>>

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
  options: MachineOptions,
  last: LogRecord | undefined,
): Promise<Environment> => {
  const { env, config, lifecycle } = options
  if (!isDemo(env)) return env
  options.terminal.print(`CHAIN_RPC_URLS is not set. ${DEMO_NOTE}`)
  const { startDemoChain } = await import('./demo-chain.ts')
  const { decodeIndexedBlock } = await import('../indexed-block.ts')
  const indexed = last && decodeIndexedBlock(last)
  const demo = await startDemoChain({ blockMs: config.demoBlockMs, indexed })
  lifecycle.onShutdown('demo chain', () => demo.close())
  return serviceEnvironment(env, demo.url)
}

/** Facts about the running children; a restart replaces them. */
type MachineState = {
  dataDir: Opened
  env: Environment
  reports: Map<RoleName, ReadyReport>
  /** The reason of each child that does not run. */
  down: Map<ChildName, string>
  operatorsUrl: string
  /** The access of the children to the store, once it runs. */
  store: StoreAccess | undefined
  /** Of the embedded engine, once it runs. */
  engine: EngineFacts | undefined
  analyst: { username: string; password: string }
}

/** A restarted reader keeps its port: its users have that one. */
const toPortSetting = (report: ReadyReport | undefined): Environment =>
  report?.url === undefined ? {} : { PORT: new URL(report.url).port }

/** Each commit of the writer notifies the reader, so it polls only for rebuilds and for a silent writer. */
const SELDOM_POLLED: Environment = { SERVED_STATE_POLL_MS: '1000' }

type StartedRole = { role: RoleName; store: Promise<StoreAccess>; onCommitted: () => void }

const startRole = (
  options: MachineOptions,
  { dataDir, env, reports }: MachineState,
  { role, store, onCommitted }: StartedRole,
): Child =>
  startChild({
    entry: options.entry,
    args: [role],
    env: { ...SELDOM_POLLED, ...env, OPERATORS_PORT: '0', ...toPortSetting(reports.get(role)) },
    firstOrder: store.then((access) => ({
      kind: 'start',
      store: access,
      logPath: dataDir.logPath,
      agentsLogPath: dataDir.agentsLogPath,
      keysPath: dataDir.keysPath,
      largeReadsFile: dataDir.largeReadsFile,
      historyFile: dataDir.historyFile,
    })),
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
      prepareStore: (store) => {
        state.store = store
        return prepareStore(store, logger)
      },
      startRole: (role, store, onCommitted) =>
        startRole(options, state, { role, store, onCommitted }),
    },
    lifecycle,
    logger,
    stopTimeoutMs: STOP_CHILD_MS,
    onReady: (role, report) => {
      state.reports.set(role, report)
      writeRunFile(state)
    },
    onDown: (child, reason) => {
      if (reason === undefined) state.down.delete(child)
      else state.down.set(child, reason)
    },
  })
}

const startOperators = async (
  { config, lifecycle, logger }: MachineOptions,
  { reports, down }: Pick<MachineState, 'reports' | 'down'>,
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

/** As soon as the API answers, also during a backfill: commands find the process by this file. */
const writeRunFile = (state: MachineState): void => {
  const { dataDir, reports, operatorsUrl, store } = state
  const url = reports.get('reader')?.url
  if (url === undefined || !store) return
  const { pid } = process
  dataDir.writeRunFile({ pid, url, operatorsUrl, clickhouse: store, ...engineAccess(state) })
}

/** The address of the embedded engine for analysts. */
const engineAccess = ({ engine, analyst }: MachineState): Partial<RunInfo> => {
  if (!engine) return {}
  const { httpPort, tcpPort, isConfined } = engine
  return {
    httpPort,
    ...(tcpPort === undefined ? {} : { tcpPort }),
    ...(isConfined ? { analyst } : {}),
  }
}

const readyText = (
  url: string,
  health: HealthSummary | undefined,
  reading = 'waiting for the chain',
): string =>
  health
    ? `Rollcall serves ${health.chainId} at ${url} (height ${health.height})`
    : `Rollcall serves at ${url}; ${reading}`

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
    readReading: async () => {
      const url = state.reports.get('writer')?.operatorsUrl
      return url === undefined
        ? undefined
        : fetchReading(url, { signal, withHistory: terminal.rewrites })
    },
    isServing: () => state.reports.has('reader'),
    onReady,
    terminal,
    signal,
  })
  watching.catch((error: unknown) => lifecycle.fail(error))
}

const listPorts = ({ config, api, store }: MachineOptions): PortUse[] => {
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

/** Resolves once everything is started; later failures go to the lifecycle. */
export const startMachine = async (options: MachineOptions): Promise<void> => {
  const { config, lifecycle, terminal } = options
  const dataDir = await openDataDir(config.dataDir)
  lifecycle.onShutdown('data directory', () => dataDir.release())
  await retry(() => requireUsablePorts(listPorts(options)), {
    ...policies.portsAfterKill,
    when: () => dataDir.wasKilled,
    signal: lifecycle.signal,
  })
  await readLastRecord(dataDir.agentsLogPath)
  const env = await openChain(options, await readLastRecord(dataDir.logPath))
  const analyst = { username: ANALYST_USER, password: config.analystPassword ?? newPassword() }
  const facts = { reports: new Map(), down: new Map(), store: undefined, engine: undefined }
  const operatorsUrl = await startOperators(options, facts)
  const state: MachineState = { dataDir, env, analyst, operatorsUrl, ...facts }
  await startParts(options, state)
  watch(options, state, (health, reading) => {
    terminal.print(readyText(state.reports.get('reader')?.url ?? '', health, reading))
  })
}
