// The process of the supervisor: output, signals and shutdown. It must leave no process behind.
import type { StoreAccess } from '../../base/clickhouse/settings.ts'
import { untilAborted } from '../../base/runtime/abort.ts'
import type { Environment } from '../../base/runtime/config.ts'
import { EXIT_CODES, isUserFacing, toExitCode } from '../../base/runtime/exit-codes.ts'
import { createLifecycle } from '../../base/runtime/lifecycle.ts'
import { createLogger } from '../../base/runtime/logger.ts'
import { explainListenError } from '../../base/runtime/ports.ts'
import { loadLineFormatter } from '../terminal/line-formatter.ts'
import { createTerminal, type Terminal } from '../terminal/terminal.ts'
import { startMachine } from './machine.ts'
import type { MachineConfig } from './settings.ts'

/** Time limit of the shutdown; the rest of the guaranteed 5 s is for the exit itself. */
const STOP_BUDGET_MS = 4_500
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export type RunMachineOptions = {
  env: Environment
  config: MachineConfig
  /** Instead of the embedded ClickHouse. */
  store: StoreAccess | undefined
  /** Where the reader listens. */
  api: { host: string; port: number }
  entry: string
  process: NodeJS.Process
}

const createOutput = async (
  process: NodeJS.Process,
): Promise<{ terminal: Terminal; onLine: (line: string) => void }> => {
  const terminal = createTerminal(process.stdout, process.stderr)
  // The reader of our output may close the pipe; indexing continues.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const format = await loadLineFormatter(process.stderr)
  return { terminal, onLine: (line) => terminal.log(format(line)) }
}

/** Never resolves: the process exits with a code for the reason. */
export const runMachine = async ({ process, ...options }: RunMachineOptions): Promise<void> => {
  const { terminal, onLine } = await createOutput(process)
  const logger = createLogger({
    service: 'supervisor',
    level: options.config.logLevel,
    destination: { write: (text) => onLine(text.trimEnd()) },
  })
  const lifecycle = createLifecycle({ logger, budgetMs: STOP_BUDGET_MS, isReported: isUserFacing })
  let isStopping = false
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      // Second signal: the children notice the end of the supervisor and stop by themselves.
      if (isStopping) process.exit(EXIT_CODES.software)
      isStopping = true
      void lifecycle.shutdown(signal)
    })
  }
  process.on('uncaughtException', (error) => lifecycle.fail(error))
  process.on('unhandledRejection', (error) => lifecycle.fail(error))

  const stopping = untilAborted(lifecycle.signal)
  const started = startMachine({ ...options, lifecycle, logger, terminal, onLine })
  const failure = await Promise.race([
    stopping.then(() => undefined),
    started.then(
      () => stopping.then(() => undefined),
      (error: unknown) => ({ error }),
    ),
  ])
  await lifecycle.shutdown('failed to start')
  terminal.clearProgress()
  const error = explainListenError(failure ? failure.error : lifecycle.failure())
  if (error === undefined) return process.exit(EXIT_CODES.ok)
  terminal.log(`rollcall: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(toExitCode(error))
}
