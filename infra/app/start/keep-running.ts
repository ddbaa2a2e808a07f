// Restarts a child whenever it ends, until the machine stops or the child fails permanently.
import { type Clock, pause, systemClock } from '../../base/runtime/clock.ts'
import { AppError, ERROR_CODES, type ErrorCode } from '../../base/runtime/errors.ts'
import { isPermanent } from '../../base/runtime/exit-codes.ts'
import type { Logger } from '../../base/runtime/logger.ts'
import { policies, type RestartLimits } from '../../base/runtime/policies.ts'
import type { ChildExit } from './children.ts'
import { FailureStreak } from './failure-streak.ts'

type Restart = {
  delayMs: number
  /** Number of exits within the window. */
  endings: number
  /** True if that exceeds the limit: an operator should check it. */
  isRepeated: boolean
}

type RestartPolicy = {
  /** Call it for each exit. */
  next(): Restart
}

const createRestartPolicy = (limits: RestartLimits, now: () => number): RestartPolicy => {
  let endings: number[] = []
  return {
    next: () => {
      const nowMs = now()
      endings = [...endings.filter((atMs) => nowMs - atMs < limits.windowMs), nowMs]
      return {
        delayMs: Math.min(limits.maxDelayMs, limits.baseDelayMs * 2 ** (endings.length - 1)),
        endings: endings.length,
        isRepeated: endings.length > limits.limit,
      }
    },
  }
}

export type KeepRunningOptions = {
  name: string
  /** Starts the child, calls `onReady` once it is ready, and resolves with its exit. */
  runOnce: (onReady: () => void) => Promise<ChildExit>
  /** True while the machine cannot work without the child: repeated exits are then a failure. */
  isRequired?: () => boolean
  /** Called with a message for operators before each pause, and while the child must prove that it works. */
  onDown?: (reason: string) => void
  /** Called once it works: when it is ready, or later after repeated equal failures. */
  onUp?: () => void
  signal: AbortSignal
  logger: Logger
  clock?: Clock
  limits?: RestartLimits
}

const describe = ({ code, signal, failure }: ChildExit): string =>
  failure ? `${failure.code}: ${failure.message}` : `ended with ${signal ?? `exit code ${code}`}`

const createExitError = (name: string, exit: ChildExit, cause: string): AppError => {
  const code = ERROR_CODES.find((known): known is ErrorCode => known === exit.failure?.code)
  if (code && isPermanent(code)) return new AppError(code, exit.failure?.message ?? name)
  return new AppError('CHILD_FAILED', `${name} ${cause}; last: ${describe(exit)}`)
}

const timesText = ({ endings }: Restart, { windowMs }: RestartLimits): string =>
  endings === 1 ? 'ended' : `ended ${endings} times within ${Math.round(windowMs / 60_000)} minutes`

/** Runs the child once. It counts as working when it is ready, or after it has run for long enough. */
const runAndWatch = async (
  options: KeepRunningOptions & { clock: Clock },
  { proofMs, count }: FailureStreak,
  last: string,
): Promise<{ exit: ChildExit; ranMs: number }> => {
  const { name, clock, logger, onDown, onUp } = options
  const ended = new AbortController()
  const stopped = AbortSignal.any([options.signal, ended.signal])
  let readyAtMs: number | undefined
  const onReady = (): void => {
    readyAtMs = clock.now()
    if (proofMs === 0) {
      onUp?.()
      return
    }
    onDown?.(`${last}. It was restarted and is ready after ${proofMs / 1000} s of operation`)
    const onProven = () => {
      logger.info({ child: name, failures: count, proofMs }, 'a child works again')
      onUp?.()
    }
    // It ended before, or the machine stops.
    clock.sleep(proofMs, stopped).then(onProven, () => {})
  }
  try {
    const exit = await options.runOnce(onReady)
    return { exit, ranMs: readyAtMs === undefined ? 0 : clock.now() - readyAtMs }
  } finally {
    ended.abort()
  }
}

/** Resolves once aborted; throws a permanent failure of the child, or `CHILD_FAILED` for a required one. */
export const keepRunning = async (options: KeepRunningOptions): Promise<void> => {
  const { name, signal, logger, clock = systemClock, limits = policies.restartChild } = options
  const policy = createRestartPolicy(limits, () => clock.now())
  const streak = new FailureStreak()
  let last = ''
  while (!signal.aborted) {
    const { exit, ranMs } = await runAndWatch({ ...options, clock }, streak, last)
    if (signal.aborted) return
    if (exit.failure && isPermanent(exit.failure.code)) throw createExitError(name, exit, 'failed')
    const restart = policy.next()
    const { delayMs, endings, isRepeated } = restart
    const times = timesText(restart, limits)
    if (isRepeated && options.isRequired?.()) throw createExitError(name, exit, times)
    streak.add(exit, ranMs)
    const often = streak.isRepeated ? `failed ${streak.count} times in a row` : times
    last = `${often}, the last time with "${describe(exit)}"`
    options.onDown?.(`${last}; it will be restarted`)
    logger.error(
      { child: name, ...exit, delayMs, endings },
      isRepeated ? 'a child keeps ending; restarting it' : 'lost a child; restarting it',
    )
    await pause(delayMs, signal, clock)
  }
}
