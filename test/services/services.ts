// Starts every process of `npm run services` in order, starts each of Rollcall again that ends, and ends them in the reverse order.
import { fileURLToPath } from 'node:url'
import { openRecording } from '../../infra/app/demo/recording.ts'
import { serviceEnvironment } from '../../infra/app/machine-settings.ts'
import { SUPERVISED } from '../../infra/app/services/service-process.ts'
import { keepRunning, type Run, spawnService } from '../../infra/app/start/supervisor.ts'
import { fetchHealth, type HealthSummary } from '../../infra/app/tools/rollcall-client.ts'
import { ENGINE_USER } from '../../infra/base/clickhouse/engine-config.ts'
import { unlessAborted } from '../../infra/base/runtime/abort.ts'
import { systemClock } from '../../infra/base/runtime/clock.ts'
import type { Environment } from '../../infra/base/runtime/config.ts'
import type { Lifecycle } from '../../infra/base/runtime/lifecycle.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { policies, type RestartLimits } from '../../infra/base/runtime/policies.ts'
import { findFreePorts } from '../devnet/ports.ts'
import { startLocalKafka } from '../support/kafka/local-broker.ts'
import { until } from '../support/process/rollcall-process.ts'
import { createTemporaryDirectory } from '../support/process/temporary-directory.ts'
import { createWatchdog } from '../support/process/watchdog.ts'
import { startGateway } from './gateway.ts'

export type ServicesOptions = {
  lifecycle: Lifecycle
  logger: Logger
  /** Progress messages. */
  print: (line: string) => void
  /** Receives each output line of a process. */
  onLine: (name: string, line: string) => void
  /** 0 for any free port. */
  gatewayPort: number
  clickhousePassword: string
  /** The environment of every process: `PATH`, `LOG_LEVEL`. */
  common: Readonly<Record<string, string>>
}

/** A process: a command of `rollcall`. */
type Command = {
  /** Unique, such as `ingest-1`. */
  name: string
  args: readonly string[]
  env: Environment
  /** Sent over its standard input. */
  secrets?: Environment
  /** Answers once it is ready. */
  readyUrl: string
  operatorsUrl?: string
}

const CLI = fileURLToPath(new URL('../../dist/infra/app/cli.js', import.meta.url))
const SERVICES = ['ingest', 'projections', 'api', 'auth'] as const
const INSTANCES = [1, 2]
/** A service ends within 8 s of a SIGTERM. */
const STOP_MS = 10_000
/** A start with its own Kafka takes minutes on a busy machine. */
const START_MS = 10 * 60_000
const ANSWER_TIMEOUT_MS = 2_000
const POLL_MS = 200
/** With fewer heights behind the tip, it follows the chain. */
const FOLLOWING_HEIGHTS = 5
/** Longer than the 6 s after which the standby takes over. */
const RESTART_INSTANCE: RestartLimits = { ...policies.restartChild, baseDelayMs: 10_000 }

const loopback = (port: number): string => `http://127.0.0.1:${port}`

const isAnswering = async (url: string): Promise<boolean> => {
  const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) })
  await response.arrayBuffer()
  return response.ok
}

const startProcess = (command: Command, options: ServicesOptions): Run => {
  const { name, args, env, secrets = {}, readyUrl, operatorsUrl } = command
  const child = spawnService({
    command: [CLI, ...args],
    env,
    settings: Promise.resolve(secrets),
    onLine: (line) => options.onLine(name, line),
    stopMs: STOP_MS,
  })
  const { pid = 0, exited, stop } = child
  // Services end with their standard input, but the other commands do not.
  const watchdog = createWatchdog(pid)
  let hasEnded = false
  void exited.then(() => {
    hasEnded = true
    watchdog.kill('SIGKILL')
  })
  const operators = operatorsUrl ? `, operators ${operatorsUrl}` : ''
  options.print(`started ${name} (process ${pid}${operators})`)
  const started = until(`${name} is ready`, START_MS, async () =>
    hasEnded || (await isAnswering(readyUrl)) ? true : undefined,
  ).then(() => (hasEnded ? new Promise<never>(() => {}) : true))
  return { started, exited, stop }
}

/** Resolves once it is ready for the first time. Failures that would repeat go to the lifecycle. */
const keepProcess = (
  command: Command,
  options: ServicesOptions,
  limits: RestartLimits = policies.restartChild,
): Promise<void> => {
  const { lifecycle, logger } = options
  const { name } = command
  const start = () => startProcess(command, options)
  const { works, stop } = keepRunning(
    { name, start },
    { lifecycle, logger, limits, down: new Map() },
  )
  lifecycle.onShutdown(name, stop)
  return unlessAborted(works, lifecycle.signal)
}

/** Stopped in parallel, because each takes some seconds to leave its group. */
const keepInstances = async (
  instances: readonly Command[],
  options: ServicesOptions,
): Promise<void> => {
  const closers: (() => Promise<void>)[] = []
  options.lifecycle.onShutdown('services', async () => {
    await Promise.all(closers.map((close) => close()))
  })
  const grouped: ServicesOptions = {
    ...options,
    lifecycle: { ...options.lifecycle, onShutdown: (_, close) => closers.push(close) },
  }
  await Promise.all(instances.map((each) => keepProcess(each, grouped, RESTART_INSTANCE)))
}

const untilFollowing = async (url: string, signal: AbortSignal): Promise<HealthSummary> => {
  for (;;) {
    const health = await fetchHealth(url, signal)
    if (health && health.tip - health.height < FOLLOWING_HEIGHTS) return health
    await systemClock.sleep(POLL_MS, signal)
  }
}

type Deployment = { baseUrl: string; folder: string; env: Environment; secrets: Environment }

/** Two of each service, each with two of the ports. */
const createInstances = (ports: readonly number[], deployment: Deployment) =>
  SERVICES.flatMap((service) => INSTANCES.map((number) => ({ service, number }))).map(
    ({ service, number }, at) => {
      const [port = 0, operatorsPort = 0] = ports.slice(2 * at)
      const { baseUrl, folder, env, secrets } = deployment
      const operatorsUrl = loopback(operatorsPort)
      return {
        service,
        url: loopback(port),
        name: `${service}-${number}`,
        args: [service, `--${SUPERVISED}`],
        secrets,
        env: {
          ...env,
          BASE_URL: baseUrl,
          // From any instance of auth, by choice of the gateway.
          JWKS_URL: `${baseUrl}/.well-known/jwks.json`,
          TRUST_PROXY: 'true',
          DATA_DIR: `${folder}/auth`,
          PORT: `${port}`,
          OPERATORS_PORT: `${operatorsPort}`,
        },
        readyUrl: `${operatorsUrl}/readyz`,
        operatorsUrl,
      }
    },
  )

const startKafka = async (options: ServicesOptions): Promise<string> => {
  const starting = startLocalKafka({ progress: options.print })
  // Registered before it runs, so that a stop during the start also ends it.
  options.lifecycle.onShutdown('kafka', () => starting.then((started) => started.stop()))
  return (await starting).brokers
}

/** The message with its URL, after it follows the chain. */
export const runServices = async (options: ServicesOptions): Promise<string> => {
  const { lifecycle, common } = options
  const { path: folder, remove } = createTemporaryDirectory('services')
  lifecycle.onShutdown('directory', async () => remove())
  const brokers = await startKafka(options)

  const free = await findFreePorts(3 + 2 * SERVICES.length * INSTANCES.length)
  const [freePort = 0, demoPort = 0, clickhousePort = 0, ...ports] = free
  const baseUrl = loopback(options.gatewayPort || freePort)
  const secrets = { CLICKHOUSE_PASSWORD: options.clickhousePassword }
  const clickhouse = {
    name: 'clickhouse',
    args: ['clickhouse', '--port', `${clickhousePort}`, '--data-dir', `${folder}/clickhouse`],
    env: { ...common, ...secrets },
    readyUrl: `${loopback(clickhousePort)}/ping`,
  }
  const demoNode = {
    name: 'demo-node',
    args: ['demo-node', '--port', `${demoPort}`],
    env: common,
    readyUrl: `${loopback(demoPort)}/status`,
  }
  await Promise.all([keepProcess(clickhouse, options), keepProcess(demoNode, options)])

  const settings = {
    ...serviceEnvironment({}, loopback(demoPort)),
    CHAIN_ID: openRecording().manifest.chainId,
    KAFKA_BROKERS: brokers,
    CLICKHOUSE_URL: loopback(clickhousePort),
    CLICKHOUSE_USERNAME: ENGINE_USER,
  }
  const env = { ...common, ...settings }
  const instances = createInstances(ports, { baseUrl, folder, env, secrets })
  const findUrls = (name: string) =>
    instances.filter(({ service }) => service === name).map(({ url }) => url)
  const port = Number(new URL(baseUrl).port)
  const gateway = await startGateway({ port, api: findUrls('api'), auth: findUrls('auth') })
  lifecycle.onShutdown('gateway', () => gateway.close())
  await keepInstances(instances, options)
  const { chainId, height } = await untilFollowing(baseUrl, lifecycle.signal)
  return [
    `Rollcall serves ${chainId} at ${baseUrl} (height ${height})`,
    '',
    'Settings for other commands, such as doctor and verify:',
    ...Object.entries({ ...settings, ...secrets }).map(
      ([name, value]) => `  export ${name}='${value}'`,
    ),
    '',
  ].join('\n')
}
