// The child side of supervision: waits for its order, reports readiness, and ends on request or without its parent.
import { onAbort } from '../../base/runtime/abort.ts'
import { AppError } from '../../base/runtime/errors.ts'
import { toExitCode } from '../../base/runtime/exit-codes.ts'
import type { Lifecycle } from '../../base/runtime/lifecycle.ts'
import { explainListenError } from '../../base/runtime/ports.ts'
import { isOrder, type ReadyReport, type Report, type StartOrder } from './messages.ts'

export type Role = {
  process: NodeJS.Process
  lifecycle: Lifecycle
  /** Starts the service and registers its components with the lifecycle. */
  start: (order: StartOrder, commits: Commits) => Promise<Omit<ReadyReport, 'kind'>>
}

/** Notifies the reader of commits of the writer, through the supervisor. */
export type Commits = {
  /** The writer calls it. */
  report(): void
  /** The reader calls it: `refresh` runs after each commit. */
  onReport(refresh: () => void): void
}

const toFailureReport = (error: unknown): Report => ({
  kind: 'failed',
  code: error instanceof AppError ? error.code : 'UNEXPECTED',
  message: error instanceof Error ? error.message : String(error),
})

const report = (child: NodeJS.Process, message: Report): Promise<void> =>
  new Promise((resolve) => {
    if (!child.connected || !child.send) return resolve()
    child.send(message, undefined, {}, () => resolve())
  })

/** Exits explicitly: open handles must not keep a child alive. */
export const runRole = ({ process, lifecycle, start }: Role): void => {
  let refresh = (): void => {}
  const commits: Commits = {
    report: () => void report(process, { kind: 'committed' }),
    onReport: (onCommit) => {
      refresh = onCommit
    },
  }
  let ended: Promise<void> | undefined
  const end = (reason: string): Promise<void> => {
    ended ??= endOnce(reason)
    return ended
  }
  const endOnce = async (reason: string): Promise<void> => {
    await lifecycle.shutdown(reason)
    const failure = lifecycle.failure()
    if (failure !== undefined) await report(process, toFailureReport(failure))
    process.exit(failure === undefined ? 0 : toExitCode(failure))
  }
  const fail = (error: unknown): void => {
    lifecycle.fail(explainListenError(error))
    void end('failure')
  }
  const begin = async (order: StartOrder): Promise<void> => {
    try {
      await report(process, { kind: 'ready', ...(await start(order, commits)) })
    } catch (error) {
      if (!lifecycle.signal.aborted) fail(error)
    }
  }
  // Ctrl-C reaches the whole group: the supervisor decides the order in which its children end.
  process.on('SIGINT', () => {})
  process.on('SIGHUP', () => {})
  process.on('SIGTERM', () => void end('SIGTERM'))
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)
  onAbort(lifecycle.signal, () => void end('failure'))
  // The supervisor has ended: an immediate crash-safe stop is better than unsupervised work.
  process.on('disconnect', () => process.exit(0))
  process.on('message', (message: unknown) => {
    if (!isOrder(message)) return
    if (message.kind === 'refresh') refresh()
    else void (message.kind === 'start' ? begin(message) : end('requested'))
  })
}
