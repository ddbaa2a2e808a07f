// One child process of the supervisor: started, listened to, ended. Its output becomes lines; nothing outlives it.
import { type ChildProcess, fork } from 'node:child_process'
import { createInterface } from 'node:readline'
import { withDeadline } from '../../runtime/retry.ts'
import { isReport, type Order, type ReadyReport } from './messages.ts'

export type ChildExit = {
  code: number | null
  signal: NodeJS.Signals | null
  /** What the child itself said was wrong, if it could. */
  failure: { code: string; message: string } | undefined
}

export type Child = {
  pid: number | undefined
  /** Never settles where the child ends first: race it with `exited`. */
  ready: Promise<ReadyReport>
  /** Never rejects. */
  exited: Promise<ChildExit>
  /** Lets it know that there is something newer to serve. */
  refresh(): void
  /** Asks it to end, and ends it by force after `timeoutMs`. Resolves once it is gone. */
  stop(timeoutMs: number): Promise<void>
}

export type ChildOptions = {
  /** A module that runs in `node` with the arguments. */
  entry: string
  args: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  firstOrder: Order
  onLine: (line: string) => void
  /** Called for each commit that it reports. */
  onCommitted: () => void
}

/** Lines a child writes while it ends would be lost without the wait for `close`. */
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
  // A child that has gone is seen by its exit, not by a message it did not get.
  if (child.connected) child.send(order, () => {})
}

/** A batch of rows lives as long as its commit: with V8's small default most of it is copied to old age first. */
const YOUNG_GENERATION = '--max-semi-space-size=128'

export const startChild = (options: ChildOptions): Child => {
  const child = fork(options.entry, [...options.args], {
    execArgv: [...process.execArgv, YOUNG_GENERATION],
    env: { ...options.env },
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
  sendOrder(child, options.firstOrder)
  return {
    pid: child.pid,
    ready,
    exited,
    refresh: () => sendOrder(child, { kind: 'look' }),
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
