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
import { locateModule } from '../../base/runtime/product-files.ts'
import { retry } from '../../base/runtime/retry.ts'
import { openDataDir, type RunInfo } from '../data-dir/data-dir.ts'
import { isDemo, type MachineConfig, serviceEnvironment } from '../machine-settings.ts'
import { SUPERVISED } from '../services/supervised.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { hasServiceStarted, startChild } from './children.ts'
import {
  ANALYST_USER,
  type EngineFacts,
  foreignEngine,
  newPassword,
  startEngine,
} from './engine.ts'
import { startMachineOperators } from './operators.ts'
import { type Plan, planServices, toStoreSettings } from './plan.ts'
import { type ChildName, MACHINE_SERVICES, type MachineService, supervise } from './supervise.ts'
import {
  fetchHealth,
  fetchReading,
  type HealthSummary,
  type WatchOptions,
  watchHealth,
} from './watch-health.ts'

/** Longer than the shutdown of a service, shorter than the limit of the machine. */
const STOP_CHILD_MS = 3_000

export type MachineOptions = {
  env: Environment
  config: MachineConfig
  /** Instead of the embedded ClickHouse. */
  store: StoreAccess | undefined
  /** Where the reader listens. */
  api: { host: string; port: number }
  lifecycle: Lifecycle
  logger: Logger
  terminal: Terminal
  /** Called with each line of output of a child. */
  onLine: (line: string) => void
}

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
  const { demoBlockMs: blockMs, demoRecording } = config
  const demo = await startDemoChain({ blockMs, recordingDir: demoRecording, indexed })
  lifecycle.onShutdown('demo chain', () => demo.close())
  return serviceEnvironment(env, demo.url)
}

/** Facts about the running children. */
type MachineState = {
  dataDir: Opened
  plan: Plan
  /** Every service that has run. */
  started: Set<MachineService>
  /** The reason of each child that does not run. */
  down: Map<ChildName, string>
  operatorsUrl: string
  /** Of the embedded engine, once it runs. */
  engine: EngineFacts | undefined
  analyst: { username: string; password: string }
}

/** The program itself: each service is a command of it. */
const CLI = locateModule('infra/app/cli')

const startParts = (options: MachineOptions, state: MachineState): Promise<StoreAccess> => {
  const { config, lifecycle, logger } = options
  const engine = {
    path: state.dataDir.storePath,
    ports: { httpPort: config.clickhouseHttpPort, tcpPort: config.clickhouseTcpPort },
    analystPassword: state.analyst.password,
    onStarted: (facts: EngineFacts) => {
      state.engine = facts
    },
    logger,
  }
  let access: StoreAccess | undefined
  return supervise({
    parts: {
      startEngine: (previous) =>
        options.store
          ? Promise.resolve(foreignEngine(options.store))
          : startEngine(engine, previous),
      prepareStore: (store) => {
        access = store
        return prepareStore(store, logger)
      },
      startService: (name, store) =>
        startChild({
          command: [CLI, name, `--${SUPERVISED}`],
          env: state.plan[name].env,
          hasStarted: () => hasServiceStarted(state.plan[name].operatorsUrl),
          settings: store.then(toStoreSettings),
          onLine: options.onLine,
        }),
    },
    lifecycle,
    logger,
    stopTimeoutMs: STOP_CHILD_MS,
    onStarted: (name) => {
      state.started.add(name)
      // As soon as the API answers, also during a backfill: commands find the process by this file.
      if (access && name === 'reader') writeRunFile(state, access)
    },
    onDown: (child, reason) => {
      if (reason === undefined) state.down.delete(child)
      else state.down.set(child, reason)
    },
  })
}

const startOperators = async (
  { config, lifecycle, logger }: MachineOptions,
  { plan, down }: Pick<MachineState, 'plan' | 'down'>,
): Promise<string> => {
  const server = await startMachineOperators({
    host: config.operatorsHost,
    port: config.operatorsPort,
    metrics: createMetrics('supervisor'),
    services: new Map(MACHINE_SERVICES.map((name) => [name, plan[name].operatorsUrl])),
    down: () => down,
    logger,
  })
  lifecycle.onShutdown('operators', () => server.close())
  return server.url
}

const writeRunFile = (state: MachineState, clickhouse: StoreAccess): void => {
  const { dataDir, plan, operatorsUrl } = state
  const { pid } = process
  dataDir.writeRunFile({ pid, url: plan.apiUrl, operatorsUrl, clickhouse, ...engineAccess(state) })
}

/** The address of the embedded engine for analysts. */
const engineAccess = ({ engine, analyst }: MachineState): Partial<RunInfo> => {
  if (!engine) return {}
  const { httpPort, tcpPort } = engine
  return {
    httpPort,
    ...(tcpPort === undefined ? {} : { tcpPort }),
    analyst,
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
  const { started, plan } = state
  const { rewrites: withHistory } = terminal
  const watching = watchHealth({
    readHealth: () => fetchHealth(plan.apiUrl, signal),
    readReading: () => fetchReading(plan.writer.operatorsUrl, { signal, withHistory }),
    isServing: () => started.has('reader'),
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
  const { path } = dataDir
  const plan = await planServices({ env, path, logLevel: config.logLevel, api: options.api })
  const analyst = { username: ANALYST_USER, password: config.analystPassword ?? newPassword() }
  const down = new Map<ChildName, string>()
  const operatorsUrl = await startOperators(options, { plan, down })
  const started = new Set<MachineService>()
  const state: MachineState = {
    dataDir,
    plan,
    started,
    down,
    operatorsUrl,
    engine: undefined,
    analyst,
  }
  await startParts(options, state)
  watch(options, state, (health, reading) => {
    terminal.print(readyText(plan.apiUrl, health, reading))
  })
}
