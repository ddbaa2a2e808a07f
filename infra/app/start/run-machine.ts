// The process of the supervisor: output, signals and shutdown. It must leave no process behind.
import type { StoreAccess } from '../../base/clickhouse/settings.ts'
import type { Environment } from '../../base/runtime/config.ts'
import { EXIT_CODES, isUserFacing } from '../../base/runtime/exit-codes.ts'
import { createLifecycle } from '../../base/runtime/lifecycle.ts'
import { createLogger } from '../../base/runtime/logger.ts'
import type { MachineConfig } from '../machine-settings.ts'
import { runProcess } from '../services/service-process.ts'
import { loadLineFormatter } from '../terminal/line-formatter.ts'
import { createTerminal, type Terminal } from '../terminal/terminal.ts'
import { startMachine } from './machine.ts'

/** Time limit of the shutdown; the rest of the guaranteed 5 s is for the exit itself. */
const STOP_BUDGET_MS = 4_500

export type RunMachineOptions = {
  env: Environment
  config: MachineConfig
  /** Instead of the embedded ClickHouse. */
  store: StoreAccess | undefined
  /** Where the reader listens. */
  api: { host: string; port: number }
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
      await startMachine({ ...options, lifecycle, logger, terminal, onLine })
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
