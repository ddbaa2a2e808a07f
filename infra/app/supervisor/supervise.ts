// Keeps the engine, the writer and the reader running, and starts and stops them in the right order.
import type { StoreAccess } from '../../base/clickhouse/settings.ts'
import { AppError } from '../../base/runtime/errors.ts'
import type { Lifecycle } from '../../base/runtime/lifecycle.ts'
import type { Logger } from '../../base/runtime/logger.ts'
import { policies, type RestartLimits } from '../../base/runtime/policies.ts'
import { retry } from '../../base/runtime/retry.ts'
import type { Child, ChildExit } from './child.ts'
import { keepRunning } from './keep-running.ts'
import { type ReadyReport, ROLES, type RoleName } from './messages.ts'
import { type EngineHealth, type WatchLimits, watchEngine } from './watch-engine.ts'

export type Engine = {
  access: StoreAccess
  /** Never rejects. */
  exited: Promise<ChildExit>
  /** Absent for a ClickHouse server of the operator. */
  health?: EngineHealth
  close(): Promise<void>
}

export type ChildName = RoleName | 'engine'

export type Parts = {
  /** `previous` is the access of the former engine: the port and the password stay the same. */
  startEngine(previous: StoreAccess | undefined): Promise<Engine>
  /** Creates the tables; idempotent. */
  prepareStore(access: StoreAccess): Promise<void>
  /** The role loads its code until the store is prepared. Calls `onCommitted` for each reported commit of the role. */
  startRole(role: RoleName, access: Promise<StoreAccess>, onCommitted: () => void): Child
}

export type SuperviseOptions = {
  parts: Parts
  lifecycle: Lifecycle
  logger: Logger
  onReady: (role: RoleName, report: ReadyReport) => void
  /** Called with the reason while a child does not run or keeps failing, and with undefined once it works. */
  onDown?: (child: ChildName, reason: string | undefined) => void
  limits?: RestartLimits
  watchLimits?: WatchLimits
  stopTimeoutMs: number
}

const toFailedExit = (error: unknown): ChildExit => ({
  code: null,
  signal: null,
  failure: {
    code: error instanceof AppError ? error.code : 'UNEXPECTED',
    message: error instanceof Error ? error.message : String(error),
  },
})

/** Runs beside the engine until it ends. */
const watch = (engine: Engine, { lifecycle, logger, watchLimits }: SuperviseOptions): void => {
  if (!engine.health) return
  const ended = new AbortController()
  void engine.exited.then(() => ended.abort())
  const watching = watchEngine({
    health: engine.health,
    logger,
    signal: AbortSignal.any([lifecycle.signal, ended.signal]),
    ...(watchLimits ? { limits: watchLimits } : {}),
  })
  watching.catch((error: unknown) => lifecycle.fail(error))
}

/** Resolves once the engine runs and the roles are started; later failures go to the lifecycle. */
export const supervise = async (options: SuperviseOptions): Promise<StoreAccess> => {
  const { parts, lifecycle, logger, limits = policies.restartChild, onDown = () => {} } = options
  const { signal } = lifecycle

  const startEngine = async (previous?: StoreAccess): Promise<Engine> => {
    const started = await parts.startEngine(previous)
    await parts.prepareStore(started.access).catch(async (error: unknown) => {
      await started.close()
      throw error
    })
    return started
  }

  let engine: Promise<Engine> | undefined = retry(() => startEngine(), {
    ...policies.firstEngine(limits),
    signal,
    onRetry: ({ attempt, error }) =>
      logger.error({ attempt, reason: error.message }, 'the engine did not start; retrying'),
  })
  // Registered before the start: a stop during the start must wait for the children that it ends.
  lifecycle.onShutdown('engine', async () => {
    const running = await engine?.catch(() => undefined)
    await running?.close()
  })
  const access = engine.then((running) => running.access)

  const children = new Map<RoleName, Child>()
  const hasRun = new Set<RoleName>()
  lifecycle.onShutdown('writer and reader', async () => {
    await Promise.all([...children.values()].map((child) => child.stop(options.stopTimeoutMs)))
  })

  const runEngine = async (onReady: () => void): Promise<ChildExit> => {
    try {
      engine ??= startEngine(await access)
      const running = await engine
      onReady()
      watch(running, options)
      return await running.exited
    } catch (error) {
      return toFailedExit(error)
    } finally {
      engine = undefined
    }
  }
  const runRole = async (role: RoleName, onReady: () => void): Promise<ChildExit> => {
    const child = parts.startRole(role, access, () => children.get('reader')?.refresh())
    children.set(role, child)
    void child.ready.then((report) => {
      hasRun.add(role)
      onReady()
      options.onReady(role, report)
    })
    const exit = await child.exited
    children.delete(role)
    return exit
  }
  const keep = (name: ChildName, runOnce: (onReady: () => void) => Promise<ChildExit>): void => {
    const kept = keepRunning({
      name,
      runOnce,
      signal,
      logger,
      limits,
      onDown: (reason) => onDown(name, reason),
      onUp: () => onDown(name, undefined),
      // Without a writer the reader serves existing data. A reader that never served is required.
      isRequired: () => name === 'reader' && !hasRun.has(name),
    })
    kept.catch((error: unknown) => lifecycle.fail(error))
  }
  for (const role of ROLES) keep(role, (onReady) => runRole(role, onReady))
  const store = await access
  keep('engine', runEngine)
  return store
}
