// Keeps the engine, the writer and the reader running, and starts and stops them in the right order.
import { randomBytes } from 'node:crypto'
import { CONTROL_DATABASE } from '../../../projections/contract/database.ts'
import { startEmbeddedClickHouse } from '../../base/clickhouse/embedded-server.ts'
import type { StoreAccess } from '../../base/clickhouse/settings.ts'
import { pause } from '../../base/runtime/clock.ts'
import type { Lifecycle } from '../../base/runtime/lifecycle.ts'
import type { Logger } from '../../base/runtime/logger.ts'
import { policies, type RestartLimits } from '../../base/runtime/policies.ts'
import { LOOPBACK, randomLoopback } from '../../base/runtime/ports.ts'
import { retry } from '../../base/runtime/retry.ts'
import type { RunInfo } from '../data-dir.ts'
import { describeFailure } from '../services/service-process.ts'
import { type Child, type ChildExit, keepRunning } from './children.ts'
import { MACHINE_SERVICES, type MachineService } from './plan.ts'

/** The ClickHouse of the machine. */
export type Engine = {
  access: StoreAccess
  /** Never rejects. */
  exited: Promise<ChildExit>
  /** Of the embedded engine, for users of the same machine. */
  shown?: Pick<RunInfo, 'analyst' | 'httpPort' | 'tcpPort'>
  /** Absent for a ClickHouse server of the operator: it is never watched and never stopped. */
  health?: {
    /** Whether it accepts a connection and answers a query within this time. Never rejects. */
    isAnswering(timeoutMs: number): Promise<boolean>
    kill(): Promise<void>
  }
  close(): Promise<void>
}

/** A ClickHouse server of the operator. */
export function foreignEngine(access: StoreAccess): Engine {
  return { access, exited: new Promise(() => {}), close: () => Promise.resolve() }
}

export function newPassword(): string {
  return randomBytes(24).toString('base64url')
}

/** The documented views, without their tables and without internal tables. */
const ANALYST_READS = [`${CONTROL_DATABASE}.v_*`]

export type EngineOptions = {
  /** The directory of the engine. */
  dataDir: string
  /** Ports of the operator; by default a free HTTP port and no native one. */
  httpPort: number | undefined
  tcpPort: number | undefined
  analyst: { username: string; password: string }
  logger: Logger
}

/** With `previous`, the engine keeps its address and its password: clients have them. */
export async function startEngine(
  { analyst, ...options }: EngineOptions,
  previous: StoreAccess | undefined,
): Promise<Engine> {
  const { httpPort, tcpPort } = options
  const former = previous && new URL(previous.url)
  // A configured port is at the usual loopback address, to which users connect.
  const host = httpPort === undefined && tcpPort === undefined ? randomLoopback() : LOOPBACK
  const engine = await startEmbeddedClickHouse({
    ...options,
    host: former?.hostname ?? host,
    httpPort: former ? Number(former.port) : httpPort,
    password: previous?.password ?? newPassword(),
    readers: [{ ...analyst, reads: ANALYST_READS }],
  })
  const { url, username, password, isAnswering, kill } = engine
  return {
    access: { url, username, password },
    exited: engine.exited.then(({ code, signal }) => ({ code, signal, failure: undefined })),
    shown: {
      analyst,
      httpPort: engine.httpPort,
      ...(engine.tcpPort === undefined ? {} : { tcpPort: engine.tcpPort }),
    },
    health: { isAnswering, kill },
    close: () => engine.close(),
  }
}

type WatchLimits = {
  everyMs: number
  timeoutMs: number
  /** Consecutive queries without an answer after which it is replaced. */
  misses: number
}

/** An engine that refuses connections is replaced after 15 s, one that accepts them and is silent after 45 s. */
const WATCH_LIMITS: WatchLimits = { everyMs: 5_000, timeoutMs: 10_000, misses: 3 }

/** Ends an engine that does not answer. Resolves then, or once aborted. */
const watchEngine = async (
  { isAnswering, kill }: NonNullable<Engine['health']>,
  { signal, logger }: { signal: AbortSignal; logger: Logger },
  { everyMs, timeoutMs, misses }: WatchLimits = WATCH_LIMITS,
): Promise<void> => {
  for (let missed = 0; missed < misses; ) {
    await pause(everyMs, signal)
    const isThere = signal.aborted || (await isAnswering(timeoutMs))
    if (signal.aborted) return
    missed = isThere ? 0 : missed + 1
    if (!isThere) logger.warn({ missed, limit: misses }, 'got no answer from ClickHouse')
  }
  logger.error({ missed: misses }, 'ended an unresponsive ClickHouse')
  await kill()
}

export type ChildName = MachineService | 'engine'

export type Parts = {
  /** `previous` is the access of the former engine. */
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
  /** Gets the reason of each child that does not run or keeps failing. */
  down: Map<ChildName, string>
  limits?: RestartLimits
  watchLimits?: WatchLimits
  stopTimeoutMs: number
}

/** Resolves once the engine runs and the services are started; later failures go to the lifecycle. */
export async function supervise(options: SuperviseOptions): Promise<StoreAccess> {
  const { parts, lifecycle, logger, down, limits = policies.restartChild } = options
  const { signal } = lifecycle
  const failWith = (work: Promise<unknown>): void => {
    work.catch((error: unknown) => lifecycle.fail(error))
  }

  const startPrepared = async (previous?: StoreAccess): Promise<Engine> => {
    const started = await parts.startEngine(previous)
    await parts.prepareStore(started.access).catch(async (error: unknown) => {
      await started.close()
      throw error
    })
    return started
  }
  let engine: Promise<Engine> | undefined = retry(() => startPrepared(), {
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
      engine ??= startPrepared(await access)
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
        onDown: (reason) => down.set(name, reason),
        onUp: () => down.delete(name),
        // Without a writer the reader serves existing data. A reader that never served is required.
        isRequired: () => name === 'reader' && !hasRun.has(name),
      }),
    )
  for (const name of MACHINE_SERVICES) keep(name, (onReady) => runService(name, onReady))
  const store = await access
  keep('engine', runEngine)
  return store
}
