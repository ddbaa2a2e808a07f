// The supervisor: opens the data directory, starts all children, prints the address, and stops everything. It must leave no process
// behind.
import { DEMO_NOTE } from '../../../ingest/contract/demo-chain.ts'
import { prepareStore } from '../../../projections/read-model/prepare.ts'
import type { StoreAccess } from '../../base/clickhouse/settings.ts'
import { openEmbeddedLog } from '../../base/log/embedded-log.ts'
import { pause } from '../../base/runtime/clock.ts'
import type { Environment } from '../../base/runtime/config.ts'
import { EXIT_CODES, isUserFacing } from '../../base/runtime/exit-codes.ts'
import { createLifecycle, type Lifecycle } from '../../base/runtime/lifecycle.ts'
import { createLogger, type Logger } from '../../base/runtime/logger.ts'
import { policies } from '../../base/runtime/policies.ts'
import { LOOPBACK, type PortUse, requireUsablePorts } from '../../base/runtime/ports.ts'
import { locateModule } from '../../base/runtime/product-files.ts'
import { retry } from '../../base/runtime/retry.ts'
import { type DataDir, openDataDir } from '../data-dir.ts'
import type { IndexedBlock } from '../indexed-block.ts'
import { isDemo, type MachineConfig, serviceEnvironment } from '../machine-settings.ts'
import { runProcess, SUPERVISED } from '../services/service-process.ts'
import { createProgressMeter, progressText } from '../terminal/progress.ts'
import { createTerminal, loadLineFormatter, type Terminal } from '../terminal/terminal.ts'
import { ask, fetchHealth, isFollowing } from '../tools/rollcall-client.ts'
import { hasServiceStarted, startChild } from './children.ts'
import { followChain } from './followed-chain.ts'
import { type Plan, planServices, startMachineOperators, toStoreSettings } from './plan.ts'
import {
  type ChildName,
  type Engine,
  foreignEngine,
  newPassword,
  startEngine,
  supervise,
} from './supervise.ts'

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

/** Creates or checks the log before any child appends to it. Throws `LOG_DAMAGED` before anything is changed. */
const readLastRecord = async (path: string) => {
  const log = await openEmbeddedLog({ path })
  try {
    return await log.last()
  } finally {
    await log.close()
  }
}

const readIndexed = async (dataDir: DataDir): Promise<IndexedBlock | undefined> => {
  await readLastRecord(dataDir.agentsLogPath)
  const last = await readLastRecord(dataDir.logPath)
  return last && (await import('../indexed-block.ts')).decodeIndexedBlock(last)
}

/** The settings with those of the chain: the one that is followed, that of the operator, or the demo chain. */
const openChain = async (
  { env, chain: name, config, lifecycle, logger, terminal }: MachineOptions,
  { chainFile }: DataDir,
  indexed: IndexedBlock | undefined,
): Promise<Environment> => {
  const { signal } = lifecycle
  const followed = await followChain({ env, name, chainFile, indexed, terminal, logger, signal })
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
  const { clickhouseHttpPort: http = 0, clickhouseTcpPort: tcp = 0 } = config
  const engine = [
    { setting: 'CLICKHOUSE_HTTP_PORT', host: LOOPBACK, port: http },
    { setting: 'CLICKHOUSE_TCP_PORT', host: LOOPBACK, port: tcp },
  ]
  return [
    { setting: 'PORT', ...api },
    { setting: 'OPERATORS_PORT', host: config.operatorsHost, port: config.operatorsPort },
    ...(store ? [] : engine),
  ]
}

/** The program itself: each service is a command of it. */
const CLI = locateModule('infra/app/cli')

type Machine = {
  dataDir: DataDir
  plan: Plan
  operatorsUrl: string
  /** The reason of each child that does not run. */
  down: Map<ChildName, string>
  /** Called each time the API runs. */
  onServing: () => void
}

const startChildren = (options: MachineOptions, machine: Machine): Promise<StoreAccess> => {
  const { dataDir, plan, operatorsUrl, down } = machine
  const { config, lifecycle, logger, onLine } = options
  const embedded = {
    dataDir: dataDir.storePath,
    httpPort: config.clickhouseHttpPort,
    tcpPort: config.clickhouseTcpPort,
    analyst: { username: 'analyst', password: config.analystPassword ?? newPassword() },
    logger,
  }
  let engine: Engine | undefined
  return supervise({
    parts: {
      startEngine: async (previous) => {
        engine = options.store
          ? foreignEngine(options.store)
          : await startEngine(embedded, previous)
        return engine
      },
      prepareStore: (store) => prepareStore(store, logger),
      startService: (name, store) =>
        startChild({
          command: [CLI, name, `--${SUPERVISED}`],
          env: plan[name].env,
          hasStarted: () => hasServiceStarted(plan[name].operatorsUrl),
          settings: store.then(toStoreSettings),
          onLine,
        }),
    },
    lifecycle,
    logger,
    stopTimeoutMs: STOP_CHILD_MS,
    onStarted: (name) => {
      if (name !== 'reader' || !engine) return
      machine.onServing()
      // As soon as the API answers, also during a backfill: commands find the process by this file.
      const { access: clickhouse, shown } = engine
      dataDir.writeRunFile({
        pid: process.pid,
        url: plan.apiUrl,
        operatorsUrl,
        clickhouse,
        ...shown,
      })
    },
    down,
  })
}

type Reading = { reading?: string; history?: { text: string | null } }

/** What ingest reads at the start of a log. The history takes long: it is only for a line that is written again. */
const fetchReading = (
  operatorsUrl: string,
  signal: AbortSignal,
  withHistory: boolean,
): Promise<string | undefined> => {
  const read = ({ text }: { text: string }): string | undefined => {
    const { reading, history } = JSON.parse(text) as Reading
    return reading ?? ((withHistory && history?.text) || undefined)
  }
  return ask(new URL('/readyz', operatorsUrl), read, { signal })
}

const POLL_MS = 500
/** Once it follows the chain: every request counts against the rate limit of the API. */
const FOLLOWING_POLL_MS = 5_000
const LINE_EVERY_MS = 5_000
/** What does not change, for example what it waits for. */
const SAME_LINE_EVERY_MS = 60_000
/** A longer backfill is served while it continues. */
const READY_GRACE_MS = 10_000

/** Prints the address once, and the progress of a backfill. Ends only when aborted. */
const watchHealth = async (
  { apiUrl, writer }: Plan,
  isServing: () => boolean,
  { terminal, lifecycle: { signal } }: MachineOptions,
): Promise<void> => {
  const meter = createProgressMeter()
  let servingSinceMs: number | undefined
  let isReady = false
  let last = { text: '', atMs: performance.now() }
  while (!signal.aborted) {
    const [health, reading] = await Promise.all([
      fetchHealth(apiUrl, signal),
      fetchReading(writer.operatorsUrl, signal, terminal.rewrites),
    ])
    const atMs = performance.now()
    const hasCaughtUp = health !== undefined && isFollowing(health)
    const sample = health && meter.add({ atMs, done: health.height, total: health.tip })
    const text =
      sample && !hasCaughtUp ? progressText(sample, 'backfill: height', 'heights') : reading
    const everyMs = text === last.text ? SAME_LINE_EVERY_MS : LINE_EVERY_MS
    if (text === undefined) terminal.clearProgress()
    else if (terminal.rewrites || atMs - last.atMs >= everyMs) {
      last = { text, atMs }
      terminal.progress(text)
    }
    if (isServing()) servingSinceMs ??= atMs
    const isLate = servingSinceMs !== undefined && atMs - servingSinceMs >= READY_GRACE_MS
    if (!isReady && (hasCaughtUp || isLate)) {
      isReady = true
      terminal.print(
        health
          ? `Rollcall serves ${health.chainId} at ${apiUrl} (height ${health.height})`
          : `Rollcall serves at ${apiUrl}; ${reading ?? 'waiting for the chain'}`,
      )
    }
    await pause(isReady && hasCaughtUp ? FOLLOWING_POLL_MS : POLL_MS, signal)
  }
}

/** Resolves once everything is started; later failures go to the lifecycle. */
const startMachine = async (options: MachineOptions): Promise<void> => {
  const { config, lifecycle, logger, api } = options
  const dataDir = await openDataDir(config.dataDir)
  lifecycle.onShutdown('data directory', () => dataDir.release())
  await retry(() => requireUsablePorts(listPorts(options)), {
    ...policies.portsAfterKill,
    when: () => dataDir.wasKilled,
    signal: lifecycle.signal,
  })
  const env = await openChain(options, dataDir, await readIndexed(dataDir))
  const { logLevel, operatorsHost: host, operatorsPort: port } = config
  const plan = await planServices({ env, path: dataDir.path, logLevel, api })
  const down = new Map<ChildName, string>()
  const operators = await startMachineOperators({ host, port, plan, down, logger })
  lifecycle.onShutdown('operators', () => operators.close())
  let isServing = false
  const onServing = () => {
    isServing = true
  }
  await startChildren(options, { dataDir, plan, operatorsUrl: operators.url, down, onServing })
  watchHealth(plan, () => isServing, options).catch((error: unknown) => lifecycle.fail(error))
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
