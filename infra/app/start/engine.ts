// Starts and watches the ClickHouse of the machine: the embedded engine, or a server of the operator.
import { randomBytes } from 'node:crypto'
import { CONTROL_DATABASE } from '../../../projections/contract/database.ts'
import {
  type EmbeddedClickHouse,
  startEmbeddedClickHouse,
} from '../../base/clickhouse/embedded-server.ts'
import { LOOPBACK, randomLoopback } from '../../base/clickhouse/free-ports.ts'
import type { StoreAccess } from '../../base/clickhouse/settings.ts'
import { type Clock, pause, systemClock } from '../../base/runtime/clock.ts'
import type { Logger } from '../../base/runtime/logger.ts'
import type { ChildExit } from './children.ts'

export type Engine = {
  access: StoreAccess
  /** Never rejects. */
  exited: Promise<ChildExit>
  /** Absent for a ClickHouse server of the operator. */
  health?: EngineHealth
  close(): Promise<void>
}

export const ANALYST_USER = 'analyst'

/** The documented views, without their tables and without internal tables. */
const ANALYST_READS = [`${CONTROL_DATABASE}.v_*`]

export const newPassword = (): string => randomBytes(24).toString('base64url')

export type EngineOptions = {
  /** The directory of the engine. */
  path: string
  /** Ports of the operator; by default a free HTTP port and no native one. */
  ports: { httpPort?: number | undefined; tcpPort?: number | undefined }
  analystPassword: string
  /** Called after each start with the address. */
  onStarted: (engine: EngineFacts) => void
  logger: Logger
}

export type EngineFacts = Pick<EmbeddedClickHouse, 'httpPort' | 'tcpPort'>

/** A configured port is at the usual loopback address, to which users connect. */
const hostFor = ({ httpPort, tcpPort }: EngineOptions['ports']): string =>
  httpPort === undefined && tcpPort === undefined ? randomLoopback() : LOOPBACK

/** Clients have the address of the former engine; the next one listens there again. */
const listenAgain = ({ url }: StoreAccess) => {
  const { hostname, port } = new URL(url)
  return { host: hostname, httpPort: Number(port) }
}

/** With `previous`, the engine keeps its address and its password. */
export const startEngine = async (
  options: EngineOptions,
  previous: StoreAccess | undefined,
): Promise<Engine> => {
  const engine = await startEmbeddedClickHouse({
    dataDir: options.path,
    host: hostFor(options.ports),
    ...options.ports,
    ...(previous ? listenAgain(previous) : {}),
    password: previous?.password ?? newPassword(),
    readers: [{ username: ANALYST_USER, password: options.analystPassword, reads: ANALYST_READS }],
    logger: options.logger,
  })
  const { url, username, password } = engine
  options.onStarted(engine)
  return {
    access: { url, username, password },
    exited: engine.exited.then(({ code, signal }) => ({ code, signal, failure: undefined })),
    health: { isAnswering: engine.isAnswering, kill: engine.kill },
    close: () => engine.close(),
  }
}

/** A ClickHouse server of the operator: never watched and never stopped. */
export const foreignEngine = (access: StoreAccess): Engine => ({
  access,
  exited: new Promise(() => {}),
  close: () => Promise.resolve(),
})

export type EngineHealth = {
  /** Whether it accepts a connection and responds to a query within this time. Never rejects. */
  isAnswering(timeoutMs: number): Promise<boolean>
  /** Kills it. */
  kill(): Promise<void>
}

export type WatchLimits = {
  everyMs: number
  timeoutMs: number
  /** Consecutive queries without a response after which it is replaced. */
  misses: number
}

/** An engine that refuses connections is replaced after 15 s, one that accepts them and is silent after 45 s. */
export const DEFAULT_WATCH_LIMITS: WatchLimits = { everyMs: 5_000, timeoutMs: 10_000, misses: 3 }

export type WatchEngineOptions = {
  health: EngineHealth
  /** Fires when the engine has ended, or the machine stops. */
  signal: AbortSignal
  logger: Logger
  limits?: WatchLimits
  clock?: Clock
}

/** Resolves once aborted, or once an unresponsive engine is ended. */
export const watchEngine = async (options: WatchEngineOptions): Promise<void> => {
  const { health, signal, logger, limits = DEFAULT_WATCH_LIMITS, clock = systemClock } = options
  let missed = 0
  while (!signal.aborted) {
    await pause(limits.everyMs, signal, clock)
    if (signal.aborted) return
    const isAnswering = await health.isAnswering(limits.timeoutMs)
    if (signal.aborted) return
    missed = isAnswering ? 0 : missed + 1
    if (missed > 0) logger.warn({ missed, limit: limits.misses }, 'got no answer from ClickHouse')
    if (missed < limits.misses) continue
    logger.error({ missed }, 'ended an unresponsive ClickHouse')
    return health.kill()
  }
}
