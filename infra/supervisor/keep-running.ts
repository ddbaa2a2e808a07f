// Starts one part again whenever it ends, until it is told to stop, cannot be helped, or ends too often.
import { type Clock, systemClock } from '../runtime/clock.ts'
import { AppError, ERROR_CODES, type ErrorCode } from '../runtime/errors.ts'
import { isPermanent } from '../runtime/exit-codes.ts'
import type { Logger } from '../runtime/logger.ts'
import type { ChildExit } from './child.ts'
import {
  createRestartPolicy,
  DEFAULT_RESTART_LIMITS,
  type RestartLimits,
} from './restart-policy.ts'

export type KeepRunningOptions = {
  name: string
  /** Starts the part and resolves with how it ended. */
  runOnce: () => Promise<ChildExit>
  signal: AbortSignal
  log: Logger
  clock?: Clock
  limits?: RestartLimits
}

const describe = ({ code, signal, failure }: ChildExit): string =>
  failure ? `${failure.code}: ${failure.message}` : `ended with ${signal ?? `exit code ${code}`}`

const errorOf = (name: string, exit: ChildExit, cause: string): AppError => {
  const code = ERROR_CODES.find((known): known is ErrorCode => known === exit.failure?.code)
  if (code && isPermanent(code)) return new AppError(code, exit.failure?.message ?? name)
  return new AppError('PART_FAILED', `${name} ${cause}; last: ${describe(exit)}`)
}

/** Resolves once aborted; throws a permanent failure of the part, or `PART_FAILED` at the limit. */
export const keepRunning = async (options: KeepRunningOptions): Promise<void> => {
  const { name, signal, log, clock = systemClock, limits = DEFAULT_RESTART_LIMITS } = options
  const policy = createRestartPolicy(limits, () => clock.now())
  while (!signal.aborted) {
    const exit = await options.runOnce()
    if (signal.aborted) return
    if (exit.failure && isPermanent(exit.failure.code)) throw errorOf(name, exit, 'failed')
    const delayMs = policy.nextDelayMs()
    if (delayMs === undefined) {
      const minutes = Math.round(limits.windowMs / 60_000)
      throw errorOf(name, exit, `ended ${limits.limit + 1} times within ${minutes} minutes`)
    }
    log.error({ part: name, ...exit, delayMs }, 'lost a part; starting it again')
    await clock.sleep(delayMs, signal).catch(() => {})
  }
}
