// Keeps the engine, the writer and the reader running, and starts and stops them in the right order.
import type { StoreAccess } from '../../base/clickhouse/settings.ts'
import type { Lifecycle } from '../../base/runtime/lifecycle.ts'
import type { Logger } from '../../base/runtime/logger.ts'
import { policies, type RestartLimits } from '../../base/runtime/policies.ts'
import { retry } from '../../base/runtime/retry.ts'
import { describeFailure } from '../services/service-process.ts'
import type { ServiceName } from '../services/table.ts'
import { type Child, type ChildExit, keepRunning } from './children.ts'
import { type Engine, type WatchLimits, watchEngine } from './engine.ts'

/** The services of one machine, in the order of their start. */
export const MACHINE_SERVICES = ['writer', 'reader'] as const satisfies readonly ServiceName[]
export type MachineService = (typeof MACHINE_SERVICES)[number]

export type ChildName = MachineService | 'engine'

export type Parts = {
  /** `previous` is the access of the former engine: the port and the password stay the same. */
  startEngine(previous: StoreAccess | undefined): Promise<Engine>
  /** Creates the tables; idempotent. */
  prepareStore(access: StoreAccess): Promise<void>
  /** The service loads its code until the store is prepared. */
  startService(name: MachineService, access: Promise<StoreAccess>): Child
}

export type SuperviseOptions = {
  parts: Parts
  lifecycle: Lifecycle
  logger: Logger
  /** Called at each start of a service. */
  onStarted: (name: MachineService) => void
  /** Called with the reason while a child does not run or keeps failing, and with undefined once it works. */
  onDown?: (child: ChildName, reason: string | undefined) => void
  limits?: RestartLimits
  watchLimits?: WatchLimits
  stopTimeoutMs: number
}

/** Resolves once the engine runs and the services are started; later failures go to the lifecycle. */
export async function supervise(options: SuperviseOptions): Promise<StoreAccess> {
  const { parts, lifecycle, logger, limits = policies.restartChild, onDown = () => {} } = options
  const { signal } = lifecycle
  const failWith = (work: Promise<unknown>): void => {
    work.catch((error: unknown) => lifecycle.fail(error))
  }

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
  const children = new Map<MachineService, Child>()
  const hasRun = new Set<ChildName>()
  lifecycle.onShutdown('writer and reader', async () => {
    await Promise.all([...children.values()].map((child) => child.stop(options.stopTimeoutMs)))
  })

  const runEngine = async (onReady: () => void): Promise<ChildExit> => {
    const ended = new AbortController()
    try {
      engine ??= startEngine(await access)
      const { health, exited } = await engine
      onReady()
      const watched = { signal: AbortSignal.any([signal, ended.signal]), logger }
      if (health) failWith(watchEngine(health, watched, options.watchLimits))
      return await exited
    } catch (error) {
      return { code: null, signal: null, failure: describeFailure(error) }
    } finally {
      ended.abort()
      engine = undefined
    }
  }
  const runService = async (name: MachineService, onReady: () => void): Promise<ChildExit> => {
    const child = parts.startService(name, access)
    children.set(name, child)
    const onStarted = (): void => {
      hasRun.add(name)
      onReady()
      options.onStarted(name)
    }
    // Rejected if it ended before.
    child.started.then(onStarted, () => {})
    const exit = await child.exited
    children.delete(name)
    return exit
  }
  const keep = (name: ChildName, runOnce: (onReady: () => void) => Promise<ChildExit>): void =>
    failWith(
      keepRunning({
        name,
        runOnce,
        signal,
        logger,
        limits,
        onDown: (reason) => onDown(name, reason),
        onUp: () => onDown(name, undefined),
        // Without a writer the reader serves existing data. A reader that never served is required.
        isRequired: () => name === 'reader' && !hasRun.has(name),
      }),
    )
  for (const name of MACHINE_SERVICES) keep(name, (onReady) => runService(name, onReady))
  const store = await access
  keep('engine', runEngine)
  return store
}
