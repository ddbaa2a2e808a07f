// Starts, watches and stops one child process of the supervisor.
import { type ChildProcess, fork } from 'node:child_process'
import { createInterface } from 'node:readline'
import { availableMemory, heapLimit } from '../../base/runtime/memory.ts'
import { withDeadline } from '../../base/runtime/retry.ts'
import { isReport, type Order, type ReadyReport } from './messages.ts'

export type ChildExit = {
  code: number | null
  signal: NodeJS.Signals | null
  /** The failure that the child reported, if any. */
  failure: { code: string; message: string } | undefined
}

export type Child = {
  pid: number | undefined
  /** Never settles if the child ends first: race it with `exited`. */
  ready: Promise<ReadyReport>
  /** Never rejects. */
  exited: Promise<ChildExit>
  /** Notifies it of newer data. */
  refresh(): void
  /** Stops it, and kills it after `timeoutMs`. Resolves once it has ended. */
  stop(timeoutMs: number): Promise<void>
}

export type ChildOptions = {
  /** A module that runs in `node` with the arguments. */
  entry: string
  args: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  /** Sent once it is known; a rejection is that of another component. */
  firstOrder: Promise<Order>
  onLine: (line: string) => void
  /** Called for each reported commit. */
  onCommitted: () => void
}

/** Waits for `close`: otherwise the last lines of a child would be lost. */
const waitForExit = (
  child: ChildProcess,
  getFailure: () => ChildExit['failure'],
): Promise<ChildExit> =>
  new Promise((resolve) => {
    child.once('error', (error) =>
      resolve({
        code: null,
        signal: null,
        failure: { code: 'ENGINE_FAILED', message: error.message },
      }),
    )
    child.once('close', (code, signal) => resolve({ code, signal, failure: getFailure() }))
  })

const sendOrder = (child: ChildProcess, order: Order): void => {
  // An ended child is noticed by its exit, not by a failed message.
  if (child.connected) child.send(order, () => {})
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

export const startChild = (options: ChildOptions): Child => {
  const { execArgv } = process
  const nodeOptions = options.env['NODE_OPTIONS']
  const child = fork(options.entry, [...options.args], {
    execArgv: [
      ...execArgv,
      YOUNG_GENERATION,
      ...heapLimit(availableMemory(), { execArgv, nodeOptions }),
    ],
    env: { ...FEW_HEAPS, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface({ input: stream }).on('line', options.onLine)
  }
  let failure: ChildExit['failure']
  const ready = new Promise<ReadyReport>((resolve) => {
    child.on('message', (message) => {
      if (!isReport(message)) return
      if (message.kind === 'ready') return resolve(message)
      if (message.kind === 'committed') return options.onCommitted()
      failure = { code: message.code, message: message.message }
    })
  })
  const exited = waitForExit(child, () => failure)
  options.firstOrder.then(
    (order) => sendOrder(child, order),
    () => {},
  )
  return {
    pid: child.pid,
    ready,
    exited,
    refresh: () => sendOrder(child, { kind: 'refresh' }),
    stop: async (timeoutMs) => {
      sendOrder(child, { kind: 'stop' })
      try {
        await withDeadline(timeoutMs, undefined, () => exited)
      } catch {
        child.kill('SIGKILL')
        await exited
      }
    },
  }
}
