// Starts one part again whenever it ends, until the machine stops or the part fails for a reason that stays.
import { type Clock, systemClock } from '../runtime/clock.ts'
import { AppError, ERROR_CODES, type ErrorCode } from '../runtime/errors.ts'
import { isPermanent } from '../runtime/exit-codes.ts'
import type { Logger } from '../runtime/logger.ts'
import type { ChildExit } from './child.ts'
import {
  createRestartPolicy,
  DEFAULT_RESTART_LIMITS,
  type Restart,
  type RestartLimits,
} from './restart-policy.ts'

export type KeepRunningOptions = {
  name: string
  /** Starts the part and resolves with how it ended. */
  runOnce: () => Promise<ChildExit>
  /** True while the machine is of no use without the part: repeated endings are then a failure. */
  isRequired?: () => boolean
  /** Called before each pause with what an operator should know. */
  onDown?: (reason: string) => void
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

const timesText = ({ endings }: Restart, { windowMs }: RestartLimits): string =>
  endings === 1 ? 'ended' : `ended ${endings} times within ${Math.round(windowMs / 60_000)} minutes`

/** Resolves once aborted; throws a permanent failure of the part, or `PART_FAILED` for a required one. */
export const keepRunning = async (options: KeepRunningOptions): Promise<void> => {
  const { name, signal, log, clock = systemClock, limits = DEFAULT_RESTART_LIMITS } = options
  const policy = createRestartPolicy(limits, () => clock.now())
  while (!signal.aborted) {
    const exit = await options.runOnce()
    if (signal.aborted) return
    if (exit.failure && isPermanent(exit.failure.code)) throw errorOf(name, exit, 'failed')
    const restart = policy.next()
    const { delayMs, endings, isRepeated } = restart
    const times = timesText(restart, limits)
    if (isRepeated && options.isRequired?.()) throw errorOf(name, exit, times)
    options.onDown?.(`${times}, the last time with "${describe(exit)}"; it is started again`)
    log.error(
      { part: name, ...exit, delayMs, endings },
      isRepeated ? 'a part keeps ending; starting it again' : 'lost a part; starting it again',
    )
    await clock.sleep(delayMs, signal).catch(() => {})
  }
}
