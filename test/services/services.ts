// Starts every process of `npm run services` in order, keeps each running, and ends them in the reverse order.
import { openRecording } from '../../infra/app/demo/recording.ts'
import { keepRunning, type Part, type Run } from '../../infra/app/start/supervisor.ts'
import { fetchHealth, type HealthSummary } from '../../infra/app/tools/rollcall-client.ts'
import { unlessAborted } from '../../infra/base/runtime/abort.ts'
import { systemClock } from '../../infra/base/runtime/clock.ts'
import type { Lifecycle } from '../../infra/base/runtime/lifecycle.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { policies, type RestartLimits } from '../../infra/base/runtime/policies.ts'
import { findFreePorts } from '../devnet/ports.ts'
import { type LocalBroker, startLocalKafka } from '../support/kafka/local-broker.ts'
import { createTemporaryDirectory } from '../support/process/temporary-directory.ts'
import { type Deployment, PORTS_NEEDED, planDeployment } from './deployment.ts'
import { startGateway } from './gateway.ts'
import { type ServiceCommand, startServiceChild } from './service-child.ts'

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
  common: Readonly<Record<string, string>>
}

const POLL_MS = 200
/** With fewer heights behind the tip, it follows the chain. */
const FOLLOWING_HEIGHTS = 5

/** Resolves once it is ready for the first time. Failures that would repeat go to the lifecycle. */
const keep = (
  part: Part,
  { lifecycle, logger }: ServicesOptions,
  limits: RestartLimits = policies.restartChild,
): Promise<void> => {
  const { works, stop } = keepRunning(part, { lifecycle, logger, limits, down: new Map() })
  lifecycle.onShutdown(part.name, stop)
  return unlessAborted(works, lifecycle.signal)
}

const keepChild = (
  command: ServiceCommand,
  options: ServicesOptions,
  limits?: RestartLimits,
): Promise<void> => {
  const { print, onLine } = options
  const { name } = command
  const start = (): Run => {
    const child = startServiceChild(command, (line) => onLine(name, line))
    const operators = command.operatorsUrl ? `, operators ${command.operatorsUrl}` : ''
    print(`started ${name} (process ${child.pid}${operators})`)
    return child
  }
  return keep({ name, start }, options, limits)
}

/** At the first call it runs already. */
const keepBroker = (broker: LocalBroker, options: ServicesOptions): Promise<void> => {
  let isFirst = true
  const start = async (): Promise<Run> => {
    if (!isFirst) {
      await broker.stop()
      await broker.start()
    }
    isFirst = false
    const exited = broker.ended().then(() => ({ code: null, signal: null }))
    // All brokers are stopped together, at the end.
    return { started: Promise.resolve(), exited, stop: () => Promise.resolve() }
  }
  return keep({ name: 'kafka', start }, options)
}

/** Stopped in parallel, because each takes some seconds to leave its group. */
const keepInstances = async (
  { instances }: Deployment,
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
  // Longer than the 6 s after which the standby takes over.
  const limits = { ...policies.restartChild, baseDelayMs: 10_000 }
  await Promise.all(instances.map((each) => keepChild(each, grouped, limits)))
}

const untilFollowing = async (url: string, signal: AbortSignal): Promise<HealthSummary> => {
  for (;;) {
    const health = await fetchHealth(url, signal)
    if (health && health.tip - health.height < FOLLOWING_HEIGHTS) return health
    await systemClock.sleep(POLL_MS, signal)
  }
}

const readyText = ({ baseUrl, settings }: Deployment, health: HealthSummary): string => {
  return [
    `Rollcall serves ${health.chainId} at ${baseUrl} (height ${health.height})`,
    '',
    'Settings for other commands, such as doctor and verify:',
    ...Object.entries(settings).map(([name, value]) => `  export ${name}='${value}'`),
    '',
  ].join('\n')
}

/** The message with its URL, after it follows the chain. */
export const runServices = async (options: ServicesOptions): Promise<string> => {
  const { lifecycle, print } = options
  const { signal } = lifecycle
  const directory = createTemporaryDirectory('services')
  lifecycle.onShutdown('directory', async () => directory.remove())
  const starting = startLocalKafka({ progress: print })
  // Registered before it runs, so that a stop during the start also ends it.
  lifecycle.onShutdown('kafka', () => starting.then((started) => started.stop()))
  const kafka = await starting
  await Promise.all(kafka.nodes.map((broker) => keepBroker(broker, options)))

  const [gatewayPort = 0, ...ports] = await findFreePorts(PORTS_NEEDED + 1)
  const deployment = planDeployment({
    ...options,
    ports,
    gatewayPort: options.gatewayPort || gatewayPort,
    brokers: kafka.brokers,
    chainId: openRecording().manifest.chainId,
    folder: directory.path,
  })
  const { clickhouse, demoNode, instances, baseUrl } = deployment
  await Promise.all([keepChild(clickhouse, options), keepChild(demoNode, options)])
  const findUrls = (service: string) =>
    instances.filter((each) => each.service === service).map(({ url }) => url)
  const gateway = await startGateway({
    port: Number(new URL(baseUrl).port),
    api: findUrls('api'),
    auth: findUrls('auth'),
  })
  lifecycle.onShutdown('gateway', () => gateway.close())
  await keepInstances(deployment, options)
  return readyText(deployment, await untilFollowing(baseUrl, signal))
}
