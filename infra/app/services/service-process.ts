// Runs one service as a separate process: log, operator port, signals and shutdown.
import { untilAborted } from '../../base/runtime/abort.ts'
import { type Environment, oneOf, readConfig } from '../../base/runtime/config.ts'
import { isUserFacing, toExitCode } from '../../base/runtime/exit-codes.ts'
import { createLifecycle } from '../../base/runtime/lifecycle.ts'
import { createLogger, LOG_LEVELS } from '../../base/runtime/logger.ts'
import type { Metrics } from '../../base/runtime/metrics.ts'
import {
  operatorsSettings,
  type Readiness,
  startOperatorsServer,
} from '../../base/runtime/operators-server.ts'
import { explainListenError } from '../../base/runtime/ports.ts'
import type { Host } from './wiring.ts'

export const serviceSettings = {
  logLevel: oneOf('LOG_LEVEL', LOG_LEVELS, {
    default: 'info',
    description: 'Level of the log lines on standard output',
  }),
  ...operatorsSettings,
} as const

/** Dependencies of a service; it registers components with the lifecycle and metrics with `metrics`. */
export type ServiceParts = Host & { env: Environment }

export type Service = {
  name: string
  /** Resolves once it runs or waits to lead, with its readiness. */
  start(parts: ServiceParts): Promise<() => Readiness>
}

const STOP_BUDGET_MS = 8_000
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const STARTING: Readiness = { ready: false, reasons: ['starting'] }

/** Never resolves: the process exits with a code for the reason. */
export const runService = async (
  { name, start }: Service,
  { env, process }: { env: Environment; process: NodeJS.Process },
): Promise<void> => {
  const config = readConfig(serviceSettings, env)
  const logger = createLogger({ service: name, level: config.logLevel })
  const lifecycle = createLifecycle({
    logger,
    budgetMs: STOP_BUDGET_MS,
    isReported: isUserFacing,
  })
  for (const signal of SIGNALS) process.on(signal, () => void lifecycle.shutdown(signal))
  process.on('uncaughtException', (error) => lifecycle.fail(error))
  process.on('unhandledRejection', (error) => lifecycle.fail(error))

  const metrics: Metrics[] = []
  let ready = () => STARTING
  try {
    const operators = await startOperatorsServer({
      host: config.operatorsHost,
      port: config.operatorsPort,
      metrics,
      ready: () => ready(),
      logger,
    })
    lifecycle.onShutdown('operators', () => operators.close())
    logger.info({ url: operators.url }, 'started operator port')
    ready = await start({ env, lifecycle, logger, metrics })
  } catch (error) {
    lifecycle.fail(explainListenError(error))
  }
  await untilAborted(lifecycle.signal)
  await lifecycle.shutdown('failure')
  const failure = lifecycle.failure()
  if (failure !== undefined && isUserFacing(failure)) {
    process.stderr.write(`rollcall: ${failure instanceof Error ? failure.message : failure}\n`)
  }
  process.exit(failure === undefined ? 0 : toExitCode(failure))
}
