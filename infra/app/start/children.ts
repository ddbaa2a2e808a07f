// Starts, watches and stops one child process of a machine: a service with its settings.
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { systemClock } from '../../base/runtime/clock.ts'
import type { Environment } from '../../base/runtime/config.ts'
import { availableMemory, heapLimit } from '../../base/runtime/memory.ts'
import { withDeadline } from '../../base/runtime/retry.ts'
import { type Failure, formatSettings, parseFailure } from '../services/supervised.ts'
import { ask } from './ask.ts'

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
export const hasServiceStarted = async (operatorsUrl: string): Promise<boolean> => {
  const url = new URL('/readyz', operatorsUrl)
  const answer = await ask(url, async (response) => (await response.json()) as object)
  return answer !== undefined && !('starting' in answer)
}

const waitUntilStarted = async (
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

export const startChild = (options: ChildOptions): Child => {
  const child = spawnNode(options)
  let failure: Failure | undefined
  const takeLine = (line: string): void => {
    const found = parseFailure(line)
    if (found) failure = found
    else options.onLine(line)
  }
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', takeLine)
  }
  const exited = waitForExit(child, () => failure)
  // An ended child is noticed by its exit, not by a failed message.
  child.stdin.on('error', () => {})
  const started = options.settings.then((settings) => {
    child.stdin.write(formatSettings(settings))
    return waitUntilStarted(options, exited)
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
