// The child processes of a machine: each is a service with its settings, and is started again whenever it ends.
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { type Clock, pause, systemClock } from '../../base/runtime/clock.ts'
import type { Environment } from '../../base/runtime/config.ts'
import { AppError, ERROR_CODES, type ErrorCode } from '../../base/runtime/errors.ts'
import { isPermanent } from '../../base/runtime/exit-codes.ts'
import type { Logger } from '../../base/runtime/logger.ts'
import { availableMemory, heapLimit } from '../../base/runtime/memory.ts'
import { policies, type RestartLimits } from '../../base/runtime/policies.ts'
import { withDeadline } from '../../base/runtime/retry.ts'
import { type Failure, formatSettings, parseFailure } from '../services/service-process.ts'
import { ask } from '../tools/rollcall-client.ts'

export type ChildExit = {
  code: number | null
  signal: NodeJS.Signals | null
  /** The failure that the child reported, if any. */
  failure: Failure | undefined
}

export type Child = {
  pid: number | undefined
  /** Resolves once the service runs; it may not be ready yet. Rejects if it ends first. */
  started: Promise<void>
  /** Never rejects. */
  exited: Promise<ChildExit>
  /** Stops it, and kills it after `timeoutMs`. Resolves once it has ended. */
  stop(timeoutMs: number): Promise<void>
}

export type ChildOptions = {
  /** A file that `node` runs, with arguments. */
  command: readonly string[]
  env: Environment
  /** Sent to its standard input once they are known; a rejection is that of another component. */
  settings: Promise<Environment>
  /** Asked until it is true. */
  hasStarted(): Promise<boolean>
  onLine: (line: string) => void
}

/**
 * In MiB. Rows live until their commit. With the small default of V8 most are copied to the old generation first.
 * V8 keeps up to three times this size after a backfill.
 */
const YOUNG_GENERATION = '--max-semi-space-size=32'

/**
 * glibc gives each thread a heap of its own, and keeps what they free. Two heaps save 10 to 20 MiB in the writer.
 * The environment of the machine has priority.
 */
const FEW_HEAPS = { MALLOC_ARENA_MAX: '2' }

const spawnNode = ({ command, env }: ChildOptions) => {
  const { execArgv } = process
  const limit = heapLimit(availableMemory(), { execArgv, nodeOptions: env['NODE_OPTIONS'] })
  return spawn(process.execPath, [...execArgv, YOUNG_GENERATION, ...limit, ...command], {
    env: { ...FEW_HEAPS, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A separate process group: Ctrl-C reaches only this process, which decides the order in which its children end.
    detached: true,
  })
}

/** Waits for `close`: otherwise the last lines of a child would be lost. */
const waitForExit = (
  child: ChildProcess,
  getFailure: () => ChildExit['failure'],
): Promise<ChildExit> =>
  new Promise((resolve) => {
    child.once('error', ({ message }) =>
      resolve({ code: null, signal: null, failure: { code: 'ENGINE_FAILED', message } }),
    )
    child.once('close', (code, signal) => resolve({ code, signal, failure: getFailure() }))
  })

const POLL_MS = 100

/** Whether a service runs. Until then nothing answers at its operator port, or it says that it is starting. */
export async function hasServiceStarted(operatorsUrl: string): Promise<boolean> {
  const read = ({ text }: { text: string }) => JSON.parse(text) as object
  const answer = await ask(new URL('/readyz', operatorsUrl), read)
  return answer !== undefined && !('starting' in answer)
}

const untilStarted = async (
  { hasStarted }: ChildOptions,
  exited: Promise<unknown>,
): Promise<void> => {
  const ended = new AbortController()
  void exited.then(() => ended.abort())
  for (;;) {
    const isRunning = await hasStarted()
    ended.signal.throwIfAborted()
    if (isRunning) return
    await systemClock.sleep(POLL_MS, ended.signal)
  }
}

export function startChild(options: ChildOptions): Child {
  const child = spawnNode(options)
  let failure: Failure | undefined
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on('line', (line) => {
      const found = parseFailure(line)
      if (found) failure = found
      else options.onLine(line)
    })
  }
  const exited = waitForExit(child, () => failure)
  // An ended child is noticed by its exit, not by a failed message.
  child.stdin.on('error', () => {})
  const started = options.settings.then((settings) => {
    child.stdin.write(formatSettings(settings))
    return untilStarted(options, exited)
  })
  return {
    pid: child.pid,
    started,
    exited,
    stop: async (timeoutMs) => {
      child.kill('SIGTERM')
      try {
        await withDeadline(timeoutMs, undefined, () => exited)
      } catch {
        child.kill('SIGKILL')
        await exited
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
  /** Called once it works: when it is ready, or later after a failure. */
  onUp?: () => void
  signal: AbortSignal
  logger: Logger
  clock?: Clock
  limits?: RestartLimits
}

const describe = ({ code, signal, failure }: ChildExit): string =>
  failure ? `${failure.code}: ${failure.message}` : `ended with ${signal ?? `exit code ${code}`}`

/** The child's own words. */
const createExitError = (name: string, exit: ChildExit, cause: string): AppError => {
  const code = ERROR_CODES.find((known): known is ErrorCode => known === exit.failure?.code)
  if (code && isPermanent(code)) return new AppError(code, exit.failure?.message ?? name)
  return new AppError('CHILD_FAILED', `${name} ${cause}; last: ${describe(exit)}`)
}

/** A child that failed works once it has run for this long: a defect in an event shows a moment after a successful start. */
const PROOF_MS = 30_000

/** Resolves once aborted; throws a permanent failure of the child, or `CHILD_FAILED` for a required one. */
export async function keepRunning(options: KeepRunningOptions): Promise<void> {
  const { name, signal, logger, clock = systemClock, limits = policies.restartChild } = options
  const { windowMs, baseDelayMs, maxDelayMs, limit } = limits
  const { onDown = () => {}, onUp = () => {} } = options
  let endings: number[] = []
  let last: { words: string; isFailure: boolean } | undefined
  while (!signal.aborted) {
    const ended = new AbortController()
    const onReady = (): void => {
      if (!last?.isFailure) {
        onUp()
        return
      }
      onDown(`${last.words}. It was restarted and is ready after ${PROOF_MS / 1000} s of operation`)
      // Rejected if it ended before, or the machine stops.
      clock.sleep(PROOF_MS, AbortSignal.any([signal, ended.signal])).then(onUp, () => {})
    }
    const exit = await options.runOnce(onReady).finally(() => ended.abort())
    if (signal.aborted) return
    if (exit.failure && isPermanent(exit.failure.code)) throw createExitError(name, exit, 'failed')
    const nowMs = clock.now()
    endings = [...endings.filter((atMs) => nowMs - atMs < windowMs), nowMs]
    const count = endings.length
    const minutes = Math.round(windowMs / 60_000)
    const times = count === 1 ? 'ended' : `ended ${count} times within ${minutes} minutes`
    if (count > limit && options.isRequired?.()) throw createExitError(name, exit, times)
    const words = `${times}, the last time with "${describe(exit)}"`
    last = { words, isFailure: exit.failure !== undefined }
    onDown(`${words}; it will be restarted`)
    const delayMs = Math.min(maxDelayMs, baseDelayMs * 2 ** (count - 1))
    const message =
      count > limit ? 'a child keeps ending; restarting it' : 'lost a child; restarting it'
    logger.error({ child: name, ...exit, delayMs, endings: count }, message)
    await pause(delayMs, signal, clock)
  }
}
