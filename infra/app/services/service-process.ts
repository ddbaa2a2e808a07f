// Runs one service as a process: its settings, log, operator port, signals and shutdown.
// A process that starts it sends the last settings to standard input, and reads from standard error that it runs or why it ends. So no
// environment and no command line has a password, and a service ends with the process that started it.
import { createInterface } from 'node:readline'
import { Type } from 'typebox'
import {
  operatorsSettings,
  type Readiness,
  startOperatorsServer,
} from '../../base/http/operators.ts'
import { untilAborted } from '../../base/runtime/abort.ts'
import { type Environment, readConfig } from '../../base/runtime/config.ts'
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

/** What a service is started with. It registers with `lifecycle` what is to be closed. */
export type ServiceParts = {
  env: Environment
  lifecycle: Lifecycle
  logger: Logger
  /** Metrics of everything in the process. */
  metrics: Metrics[]
  /** What other processes may ask for with a POST to the operator port, by path. */
  actions: Map<string, () => void>
}

export type Service = {
  name: string
  /** Resolves once it runs or waits to lead, with its readiness. */
  start(parts: ServiceParts): Promise<() => Readiness>
  /** Time limit of its shutdown. */
  stopBudgetMs?: number
}

const STOP_BUDGET_MS = 8_000

/** The option of a command that runs a service for another process. */
export const SUPERVISED = 'supervised'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

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
export async function runProcess(options: ProcessOptions): Promise<void> {
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

/** What a service tells the process that started it: that it runs, or why it ends. */
export type Notice = { started: true } | { failure: Failure }

export function describeFailure(error: unknown): Failure {
  const code = error instanceof AppError ? error.code : 'UNEXPECTED'
  return { code, message: error instanceof Error ? error.message : String(error) }
}

/** Node reads U+2028 and U+2029 as the end of a line, and JSON leaves them as they are. */
const formatLine = (value: object): string => {
  const json = JSON.stringify(value)
  return `${json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}\n`
}

const NOTICE_START = '{"notice":'

export function formatNotice(notice: Notice): string {
  return formatLine({ notice })
}

/** Undefined for a line with something else, or that was cut off. */
export function parseNotice(line: string): Notice | undefined {
  if (!line.startsWith(NOTICE_START)) return undefined
  try {
    return (JSON.parse(line) as { notice: Notice }).notice
  } catch {
    return undefined
  }
}

export function formatSettings(settings: Environment): string {
  return formatLine(settings)
}

/** The settings in the first line. The process exits at the end of its input. */
export function receiveSettings(process: NodeJS.Process): Promise<Environment> {
  return new Promise((resolve) => {
    const lines = createInterface({ input: process.stdin })
    lines.once('line', (line) => resolve(JSON.parse(line) as Environment))
    // The other process has ended: an immediate crash-safe stop is better than unsupervised work.
    lines.once('close', () => process.exit(EXIT_CODES.ok))
  })
}

/** Never resolves: the process exits with a code for the reason. */
export async function runService(
  { name, start, stopBudgetMs = STOP_BUDGET_MS }: Service,
  options: Pick<ServiceParts, 'env'> & {
    process: NodeJS.Process
    /** Whether another process sends the last settings, and reads the notices. */
    isSupervised?: boolean
  },
): Promise<void> {
  const { process, isSupervised = false } = options
  const env = isSupervised ? { ...options.env, ...(await receiveSettings(process)) } : options.env
  const report = (error: unknown): void => {
    const failure = describeFailure(error)
    if (isSupervised) process.stderr.write(formatNotice({ failure }))
    else if (isUserFacing(error)) {
      process.stderr.write(`rollcall: ${toSafeText(failure.message)}\n`)
    }
  }
  // Until its level is known: a wrong setting has no other line than the report.
  const logger = createLogger({ service: name, level: 'warn' })
  const lifecycle = createLifecycle({ logger, budgetMs: stopBudgetMs, isReported: isUserFacing })
  const metrics: Metrics[] = []
  const actions: ServiceParts['actions'] = new Map()
  let ready = (): Readiness => ({ ready: false, reasons: ['starting'] })
  const startAll = async (): Promise<void> => {
    const settings = readConfig(serviceSettings, env)
    const { operatorsHost: host, operatorsPort: port } = settings
    logger.level = settings.logLevel
    const operators = await startOperatorsServer({
      host,
      port,
      metrics,
      actions,
      ready: () => ready(),
      logger,
    })
    lifecycle.onShutdown('operators', () => operators.close())
    logger.info({ url: operators.url }, 'started operator port')
    ready = await start({ env, lifecycle, logger, metrics, actions })
    if (isSupervised) process.stderr.write(formatNotice({ started: true }))
  }
  await runProcess({ process, lifecycle, start: startAll, report })
}
