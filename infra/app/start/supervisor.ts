// The one supervisor: it keeps children running, starts each again by policy, and gives up with the child's own words.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { EmbeddedClickHouse } from '../../base/clickhouse/embedded-server.ts'
import { type Clock, pause, systemClock } from '../../base/runtime/clock.ts'
import type { Environment } from '../../base/runtime/config.ts'
import { AppError, ERROR_CODES } from '../../base/runtime/errors.ts'
import { isPermanent } from '../../base/runtime/exit-codes.ts'
import type { Lifecycle } from '../../base/runtime/lifecycle.ts'
import type { Logger } from '../../base/runtime/logger.ts'
import { availableMemory, heapLimit } from '../../base/runtime/memory.ts'
import { policies, type RestartLimits } from '../../base/runtime/policies.ts'
import { every, withDeadline } from '../../base/runtime/retry.ts'
import {
  describeFailure,
  type Failure,
  formatSettings,
  parseNotice,
} from '../services/service-process.ts'

export type ChildExit = {
  code: number | null
  signal: NodeJS.Signals | null
  /** The failure that the child reported, if any. */
  failure?: Failure | undefined
}

/** A child from its start to its end. */
export type Run = {
  /** Resolves once it works, which may be never. */
  started: Promise<unknown>
  /** Never rejects. */
  exited: Promise<ChildExit>
  /** Resolves once it has ended. */
  stop(): Promise<void>
}

export type SpawnOptions = {
  /** A file that `node` runs, with arguments. */
  command: readonly string[]
  env: Environment
  /** Sent to its standard input once they are known; a rejection is that of another component. */
  settings: Promise<Environment>
  onLine: (line: string) => void
  /** It is killed if it has not ended so long after a SIGTERM. */
  stopMs: number
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

export function spawnService(options: SpawnOptions): Run & { pid: number | undefined } {
  const { command, env, settings, onLine, stopMs } = options
  const { execArgv, execPath } = process
  const limit = heapLimit(availableMemory())
  const child = spawn(execPath, [...execArgv, YOUNG_GENERATION, ...command], {
    env: { ...FEW_HEAPS, ...env, NODE_OPTIONS: `${limit} ${env['NODE_OPTIONS'] ?? ''}` },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A separate process group: Ctrl-C reaches only this process, which decides the order in which its children end.
    detached: true,
  })
  let failure: Failure | undefined
  const started = new Promise<void>((resolve) => {
    for (const input of [child.stdout, child.stderr]) {
      createInterface({ input }).on('line', (line) => {
        const notice = parseNotice(line)
        if (!notice) onLine(line)
        else if ('failure' in notice) failure = notice.failure
        else resolve()
      })
    }
  })
  const exited = new Promise<ChildExit>((resolve) => {
    child.once('error', ({ message }) =>
      resolve({ code: null, signal: null, failure: { code: 'ENGINE_FAILED', message } }),
    )
    // Not `exit`: the last lines of a child would be lost.
    child.once('close', (code, signal) => resolve({ code, signal, failure }))
  })
  // An ended child is noticed by its exit, not by a failed message.
  child.stdin.on('error', () => {})
  settings.then(
    (sent) => child.stdin.write(formatSettings(sent)),
    () => {},
  )
  const stop = async () => {
    child.kill('SIGTERM')
    try {
      await withDeadline(stopMs, undefined, () => exited)
    } catch {
      child.kill('SIGKILL')
      await exited
    }
  }
  return { pid: child.pid, started, exited, stop }
}

export type Part = {
  name: string
  /** A rejection is an end of the child, too. */
  start(): Run | Promise<Run>
  /** Nothing works before its first run: if that does not begin, everything ends. */
  isRequired?: boolean
}

export type Kept = {
  /** Resolves once it works for the first time, which may be never. */
  works: Promise<void>
  /** Ends its current run. */
  stop(): Promise<void>
}

export type KeepOptions = {
  lifecycle: Pick<Lifecycle, 'signal' | 'fail'>
  logger: Logger
  /** Gets the reason of each child that does not run, or must still prove that it works. */
  down: Map<string, string>
  limits?: RestartLimits
  clock?: Clock
}

const describe = ({ code, signal, failure }: ChildExit): string =>
  failure ? `${failure.code}: ${failure.message}` : `ended with ${signal ?? `exit code ${code}`}`

/** A child that failed works once it has run for this long: a defect in an event shows a moment after a successful start. */
const PROOF_MS = 30_000

/** Keeps a child running until the lifecycle ends, which also gets a failure that stays. */
export function keepRunning(part: Part, options: KeepOptions): Kept {
  const { name, isRequired = false } = part
  const { lifecycle, logger, down, limits = policies.restartChild, clock = systemClock } = options
  const { signal } = lifecycle
  let run: Promise<Run> | undefined
  let hasRun = false
  /** The reason of its last end, if it reported a failure. */
  let failed: string | undefined
  let succeedFirst = (): void => {}
  const works = new Promise<void>((resolve) => {
    succeedFirst = resolve
  })

  const succeed = async (exited: Promise<ChildExit>): Promise<void> => {
    hasRun = true
    succeedFirst()
    if (failed !== undefined) {
      down.set(name, `${failed}. It was restarted, and must run for ${PROOF_MS / 1000} s`)
      if (await Promise.race([exited, pause(PROOF_MS, signal, clock)])) return
    }
    down.delete(name)
  }
  const runOnce = async (): Promise<ChildExit> => {
    try {
      run = Promise.resolve().then(() => part.start())
      const { started, exited } = await run
      started.then(() => succeed(exited)).catch(() => {})
      return await exited
    } catch (error) {
      // Another first start would end in the same way.
      const isLasting = !(error instanceof AppError && error.retryable)
      if (isLasting && isRequired && !hasRun) throw error
      return { code: null, signal: null, failure: describeFailure(error) }
    }
  }
  const keep = async (): Promise<void> => {
    let endings: number[] = []
    while (!signal.aborted) {
      const exit = await runOnce()
      if (signal.aborted) return
      const { code = '', message = '' } = exit.failure ?? {}
      const known = ERROR_CODES.find((each) => each === code)
      if (known && isPermanent(known)) throw new AppError(known, message)
      const nowMs = clock.now()
      endings = [...endings.filter((atMs) => nowMs - atMs < limits.windowMs), nowMs]
      const count = endings.length
      const within = `${count} times within ${Math.round(limits.windowMs / 60_000)} minutes`
      const words = `ended${count === 1 ? '' : ` ${within}`}, the last time with "${describe(exit)}"`
      if (isRequired && !hasRun && count >= limits.firstRuns) {
        throw new AppError('CHILD_FAILED', `${name} ${words}`)
      }
      failed = exit.failure && words
      down.set(name, `${words}; it will be restarted`)
      const delayMs = Math.min(limits.maxDelayMs, limits.baseDelayMs * 2 ** (count - 1))
      logger.error({ child: name, ...exit, delayMs, endings: count }, 'lost a child; restarting it')
      await pause(delayMs, signal, clock)
    }
  }
  keep().catch((error: unknown) => {
    if (!signal.aborted) lifecycle.fail(error)
  })
  const stop = async (): Promise<void> => {
    const last = await run?.catch(() => undefined)
    await last?.stop()
  }
  return { works, stop }
}

/** An engine that refuses connections is replaced after 15 s, one that accepts them and is silent after 45 s. */
const WATCH_LIMITS = { everyMs: 5_000, timeoutMs: 10_000, misses: 3 }

type Watched = Pick<EmbeddedClickHouse, 'isAnswering' | 'kill'> & { exited: Promise<unknown> }

/** Ends an engine that does not answer, so that it is started again. Resolves once the engine has ended, or aborted. */
export async function watch(
  { isAnswering, kill, exited }: Watched,
  { signal, logger }: { signal: AbortSignal; logger: Logger },
  { everyMs, timeoutMs, misses }: typeof WATCH_LIMITS = WATCH_LIMITS,
): Promise<void> {
  const ended = new AbortController()
  void exited.then(() => ended.abort())
  let missed = 0
  await every(everyMs, { signal: AbortSignal.any([signal, ended.signal]) }, async () => {
    missed = (await isAnswering(timeoutMs)) || signal.aborted ? 0 : missed + 1
    if (missed > 0) logger.warn({ missed, limit: misses }, 'got no answer from ClickHouse')
    if (missed === misses) await kill()
  })
}
