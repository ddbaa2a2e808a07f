// The supervisor's own life: opens the data directory, starts what runs in it, tells the person, ends it all.
import { prepareStore } from '../clickhouse/prepare.ts'
import type { StoreAccess } from '../clickhouse/settings.ts'
import { openDataDir } from '../data-dir.ts'
import { openEmbeddedLog } from '../log/embedded-log.ts'
import type { Environment } from '../runtime/config.ts'
import type { Lifecycle } from '../runtime/lifecycle.ts'
import type { Logger } from '../runtime/logger.ts'
import { createMetrics } from '../runtime/metrics.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { type Child, startChild } from './child.ts'
import { startDemoChain } from './demo-chain.ts'
import { ANALYST_USER, foreignEngine, newPassword, startEngine } from './machine-engine.ts'
import type { ReadyReport } from './messages.ts'
import { startMachineOperators } from './operators.ts'
import { isDemo, type MachineConfig, serviceEnvironment } from './settings.ts'
import { ROLES, type RoleName, supervise } from './supervise.ts'
import { readServedFrom, type Served, type WatchOptions, watchHealth } from './watch-health.ts'

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
  log: Logger
  terminal: Terminal
  /** Takes a line that a child wrote. */
  onLine: (line: string) => void
}

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
type Known = {
  dataDir: Opened
  env: Environment
  reports: Map<RoleName, ReadyReport>
  ports: { httpPort: number; tcpPort: number } | undefined
  analyst: { username: string; password: string }
}

/** The same port again for a reader that is started again: its users know that one. */
const portOf = (report: ReadyReport | undefined): Environment =>
  report?.url === undefined ? {} : { PORT: new URL(report.url).port }

const startRole = (options: MachineOptions, known: Known, role: RoleName) => {
  const { dataDir, env, reports } = known
  return (store: StoreAccess): Child =>
    startChild({
      entry: options.entry,
      args: [role],
      env: { ...env, OPERATORS_PORT: '0', ...portOf(reports.get(role)) },
      firstOrder: {
        ...{ kind: 'start', store, logPath: dataDir.logPath },
        ...{ agentsLogPath: dataDir.agentsLogPath, keysPath: dataDir.keysPath },
      },
      onLine: options.onLine,
    })
}

const startParts = (options: MachineOptions, known: Known): Promise<StoreAccess> => {
  const { config, lifecycle, log } = options
  const given = { httpPort: config.clickhouseHttpPort, tcpPort: config.clickhouseTcpPort }
  const engine = {
    path: known.dataDir.storePath,
    ports: () => known.ports ?? given,
    analystPassword: known.analyst.password,
    onPorts: (ports: Known['ports']) => {
      known.ports = ports
    },
    log,
  }
  return supervise({
    parts: {
      startEngine: (previous) =>
        options.store
          ? Promise.resolve(foreignEngine(options.store))
          : startEngine(engine, previous),
      prepareStore: (store) => prepareStore(store, log),
      startRole: (role, store) => startRole(options, known, role)(store),
    },
    lifecycle,
    log,
    stopTimeoutMs: STOP_CHILD_MS,
    onReady: (role, report) => known.reports.set(role, report),
  })
}

const startOperators = async (
  { config, lifecycle, log }: MachineOptions,
  { reports }: Known,
): Promise<string> => {
  const server = await startMachineOperators({
    host: config.operatorsHost,
    port: config.operatorsPort,
    metrics: createMetrics('supervisor'),
    roles: () => new Map(ROLES.map((role) => [role, reports.get(role)?.operatorsUrl])),
    log,
  })
  lifecycle.onShutdown('operators', () => server.close())
  return server.url
}

const readyText = (url: string, served: Served | undefined): string =>
  served
    ? `Rollcall serves ${served.chainId} at ${url} (height ${served.height})`
    : `Rollcall serves at ${url}; the chain has not answered yet`

const watch = (options: MachineOptions, known: Known, onReady: WatchOptions['onReady']): void => {
  const { lifecycle, terminal } = options
  const { signal } = lifecycle
  const watching = watchHealth({
    readServed: async () => {
      const url = known.reports.get('reader')?.url
      return url === undefined ? undefined : readServedFrom(url, signal)
    },
    isServing: () => known.reports.has('reader'),
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
  const known: Known = { dataDir, env, reports: new Map(), ports: undefined, analyst }
  const operatorsUrl = await startOperators(options, known)
  const clickhouse = await startParts(options, known)
  watch(options, known, (served) => {
    const url = known.reports.get('reader')?.url ?? ''
    const { pid } = process
    const own = options.store ? {} : { analyst, ...known.ports }
    dataDir.writeRunFile({ pid, url, operatorsUrl, clickhouse, ...own })
    terminal.say(readyText(url, served))
  })
}
