// Shuts a process down: aborts its loops, then closes its components in reverse order, within a time limit.
import { hasCode } from './errors.ts'
import type { Logger } from './logger.ts'
import { withDeadline } from './retry.ts'

export type Lifecycle = {
  /** Fires before any component is closed: loops end on it. */
  signal: AbortSignal
  /** Registers a component; components are closed in reverse order, one after the other. */
  onShutdown(name: string, close: () => Promise<void>): void
  /** Ends everything once; every further call gets the same promise. Never rejects. */
  shutdown(reason: string): Promise<void>
  /** For an unhandled error: logs it, keeps it and shuts down. */
  fail(error: unknown): void
  /** The first error given to `fail`, once there is one. */
  failure(): unknown
}

export type LifecycleOptions = {
  logger: Logger
  budgetMs: number
  /** True for a failure that is reported to the user in another way: it is not logged. */
  isReported?: (error: unknown) => boolean
}

type ShutdownHook = { name: string; close: () => Promise<void> }

const closeWithin = async (hook: ShutdownHook, leftMs: number, logger: Logger): Promise<void> => {
  try {
    // Closes the component even if no time is left: it may still end by itself.
    await withDeadline(Math.max(0, leftMs), undefined, () => hook.close())
  } catch (error) {
    const { name: component } = hook
    if (hasCode(error, 'DEADLINE_EXCEEDED')) {
      logger.warn({ component }, 'a component did not close in time')
    } else {
      logger.error({ component, error }, 'failed to close a component')
    }
  }
}

export const createLifecycle = ({ logger, budgetMs, isReported }: LifecycleOptions): Lifecycle => {
  const controller = new AbortController()
  const hooks: ShutdownHook[] = []
  let ended: Promise<void> | undefined
  let failure: unknown

  const closeAll = async (reason: string): Promise<void> => {
    const startedMs = performance.now()
    logger.info({ reason }, 'started to shut down')
    controller.abort(new Error(reason))
    // Popped one by one, so that a component registered during the shutdown is closed too.
    for (let hook = hooks.pop(); hook; hook = hooks.pop()) {
      await closeWithin(hook, budgetMs - (performance.now() - startedMs), logger)
    }
    logger.info({ reason, durationMs: Math.round(performance.now() - startedMs) }, 'shut down')
  }

  const shutdown = (reason: string): Promise<void> => {
    ended ??= closeAll(reason)
    return ended
  }

  return {
    signal: controller.signal,
    onShutdown: (name, close) => {
      hooks.push({ name, close })
    },
    shutdown,
    fail: (error) => {
      failure ??= error
      if (!isReported?.(error)) logger.fatal({ error }, 'failed permanently')
      void shutdown('failure')
    },
    failure: () => failure,
  }
}
