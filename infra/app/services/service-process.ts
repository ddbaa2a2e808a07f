// Runs one service as a process: its settings, log, operator port, signals and shutdown.
// A process that starts it sends the last settings to standard input, and reads the reason of a failure from standard error. So no
// environment and no command line has a password, and a service ends with the process that started it.
import { createInterface } from 'node:readline'
import { Type } from 'typebox'
import {
  operatorsSettings,
  type Readiness,
  startOperatorsServer,
} from '../../base/http/operators.ts'
import { untilAborted } from '../../base/runtime/abort.ts'
import { type Config, type Environment, readConfig } from '../../base/runtime/config.ts'
import { AppError } from '../../base/runtime/errors.ts'
import { EXIT_CODES, isUserFacing, toExitCode } from '../../base/runtime/exit-codes.ts'
import { createLifecycle, type Lifecycle } from '../../base/runtime/lifecycle.ts'
import { createLogger, LOG_LEVELS, type Logger } from '../../base/runtime/logger.ts'
import type { Metrics } from '../../base/runtime/metrics.ts'
import { explainListenError } from '../../base/runtime/ports.ts'
import { toSafeText } from '../terminal/terminal.ts'

const serviceSettings = Type.Object({
  logLevel: Type.Enum(LOG_LEVELS, {
    env: 'LOG_LEVEL',
    default: 'info',
    description: 'Level of the log lines on standard output',
  }),
  ...operatorsSettings.properties,
})

/** The process of a service. */
export type Host = {
  lifecycle: Lifecycle
  logger: Logger
  /** Metrics of every service in it. */
  metrics: Metrics[]
}

/** Dependencies of a service; it registers components with the lifecycle and metrics with `metrics`. */
export type ServiceParts = Host & {
  env: Environment
  /** What other processes may ask for with a POST to the operator port, by path. */
  actions: Map<string, () => void>
}

export type Service = {
  name: string
  summary: string
  examples?: readonly (readonly [line: string, description: string])[]
  /** Only `rollcall start` runs it. */
  isPart?: boolean
  /** Time limit of its shutdown. */
  stopBudgetMs?: number
  /** Resolves once it runs or waits to lead, with its readiness. */
  start(parts: ServiceParts): Promise<() => Readiness>
}

const STOP_BUDGET_MS = 8_000

/** The option of a command that runs a service for another process. */
export const SUPERVISED = 'supervised'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** `starting` distinguishes a service that does not run yet from one that is not ready. */
const STARTING: Readiness = { ready: false, reasons: ['starting'], details: { starting: true } }

export type ProcessOptions = {
  process: NodeJS.Process
  lifecycle: Lifecycle
  start(): Promise<void>
  /** Called at the end, if there was a failure. */
  report(failure: unknown): void
  /** Called for each signal. */
  onSignal?(): void
}

/** Runs until a signal or a failure. Never resolves: the process exits with a code for the reason. */
export const runProcess = async (options: ProcessOptions): Promise<void> => {
  const { process, lifecycle } = options
  const fail = (error: unknown): void => lifecycle.fail(explainListenError(error))
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      options.onSignal?.()
      void lifecycle.shutdown(signal)
    })
  }
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)
  options.start().catch((error: unknown) => {
    if (!lifecycle.signal.aborted) fail(error)
  })
  await untilAborted(lifecycle.signal)
  await lifecycle.shutdown('failure')
  const failure = lifecycle.failure()
  if (failure === undefined) return process.exit(EXIT_CODES.ok)
  options.report(failure)
  process.exit(toExitCode(failure))
}

/** Why a service cannot continue. */
export type Failure = { code: string; message: string }

/** Node reads U+2028 and U+2029 as the end of a line, and JSON leaves them as they are. */
const formatLine = (value: object): string => {
  const json = JSON.stringify(value)
  return `${json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}\n`
}

/** What is undefined replaces the setting that the process has. */
export function formatSettings(settings: Environment): string {
  const entries = Object.entries(settings).map(([name, value]) => [name, value ?? null] as const)
  return formatLine(Object.fromEntries(entries))
}

/** The settings in the first line. The process exits at the end of its input. */
export function receiveSettings(process: NodeJS.Process): Promise<Environment> {
  return new Promise((resolve) => {
    const lines = createInterface({ input: process.stdin })
    lines.once('line', (line) => {
      const sent = Object.entries(JSON.parse(line) as Record<string, string | null>)
      resolve(Object.fromEntries(sent.map(([name, value]) => [name, value ?? undefined])))
    })
    // The other process has ended: an immediate crash-safe stop is better than unsupervised work.
    lines.once('close', () => process.exit(EXIT_CODES.ok))
  })
}

const FAILURE_START = '{"failure":'

export function describeFailure(error: unknown): Failure {
  const code = error instanceof AppError ? error.code : 'UNEXPECTED'
  return { code, message: error instanceof Error ? error.message : String(error) }
}

export function formatFailure(error: unknown): string {
  return formatLine({ failure: describeFailure(error) })
}

/** Undefined for a line with something else, or that was cut off. */
export function parseFailure(line: string): Failure | undefined {
  if (!line.startsWith(FAILURE_START)) return undefined
  try {
    return (JSON.parse(line) as { failure: Failure }).failure
  } catch {
    return undefined
  }
}

const explain = (failure: unknown, isSupervised: boolean): string => {
  if (isSupervised) return formatFailure(failure)
  if (!isUserFacing(failure)) return ''
  return `rollcall: ${toSafeText(failure instanceof Error ? failure.message : `${failure}`)}\n`
}

export type RunOptions = {
  env: Environment
  process: NodeJS.Process
  /** Whether another process sends the last settings, and is to know why this one ends. */
  isSupervised?: boolean
}

/** Never resolves: the process exits with a code for the reason. */
export const runService = async (
  { name, start, stopBudgetMs = STOP_BUDGET_MS }: Pick<Service, 'name' | 'start' | 'stopBudgetMs'>,
  { process, isSupervised = false, ...options }: RunOptions,
): Promise<void> => {
  const env = isSupervised ? { ...options.env, ...(await receiveSettings(process)) } : options.env
  const report = (failure: unknown) => process.stderr.write(explain(failure, isSupervised))
  let config: Config<typeof serviceSettings>
  try {
    config = readConfig(serviceSettings, env)
  } catch (error) {
    report(error)
    return process.exit(toExitCode(error))
  }
  const logger = createLogger({ service: name, level: config.logLevel })
  const lifecycle = createLifecycle({ logger, budgetMs: stopBudgetMs, isReported: isUserFacing })
  const metrics: Metrics[] = []
  const actions = new Map<string, () => void>()
  let ready = () => STARTING
  const startAll = async (): Promise<void> => {
    const operators = await startOperatorsServer({
      host: config.operatorsHost,
      port: config.operatorsPort,
      metrics,
      actions,
      ready: () => ready(),
      logger,
    })
    lifecycle.onShutdown('operators', () => operators.close())
    logger.info({ url: operators.url }, 'started operator port')
    ready = await start({ env, lifecycle, logger, metrics, actions })
  }
  await runProcess({ process, lifecycle, start: startAll, report })
}
