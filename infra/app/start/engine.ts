// Starts and watches the ClickHouse of the machine: the embedded engine, or a server of the operator.
import { randomBytes } from 'node:crypto'
import { CONTROL_DATABASE } from '../../../projections/contract/database.ts'
import {
  type EmbeddedClickHouse,
  startEmbeddedClickHouse,
} from '../../base/clickhouse/embedded-server.ts'
import type { StoreAccess } from '../../base/clickhouse/settings.ts'
import { pause } from '../../base/runtime/clock.ts'
import type { Logger } from '../../base/runtime/logger.ts'
import { LOOPBACK, randomLoopback } from '../../base/runtime/ports.ts'
import type { ChildExit } from './children.ts'

export type Engine = {
  access: StoreAccess
  /** Never rejects. */
  exited: Promise<ChildExit>
  /** Absent for a ClickHouse server of the operator. */
  health?: EngineHealth
  close(): Promise<void>
}

export type EngineHealth = {
  /** Whether it responds within this time. Never rejects. */
  isAnswering(timeoutMs: number): Promise<boolean>
  kill(): Promise<void>
}

export const ANALYST_USER = 'analyst'

/** The documented views, without their tables and without internal tables. */
const ANALYST_READS = [`${CONTROL_DATABASE}.v_*`]

export function newPassword(): string {
  return randomBytes(24).toString('base64url')
}

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
export async function startEngine(
  { path, ports, analystPassword, onStarted, logger }: EngineOptions,
  previous: StoreAccess | undefined,
): Promise<Engine> {
  const engine = await startEmbeddedClickHouse({
    dataDir: path,
    host: hostFor(ports),
    ...ports,
    ...(previous ? listenAgain(previous) : {}),
    password: previous?.password ?? newPassword(),
    readers: [{ username: ANALYST_USER, password: analystPassword, reads: ANALYST_READS }],
    logger,
  })
  const { url, username, password, isAnswering, kill } = engine
  onStarted(engine)
  return {
    access: { url, username, password },
    exited: engine.exited.then(({ code, signal }) => ({ code, signal, failure: undefined })),
    health: { isAnswering, kill },
    close: () => engine.close(),
  }
}

/** A ClickHouse server of the operator: never watched and never stopped. */
export function foreignEngine(access: StoreAccess): Engine {
  return { access, exited: new Promise(() => {}), close: () => Promise.resolve() }
}

export type WatchLimits = {
  everyMs: number
  timeoutMs: number
  /** Consecutive queries without a response after which it is replaced. */
  misses: number
}

/** An engine that refuses connections is replaced after 15 s, one that accepts them and is silent after 45 s. */
const WATCH_LIMITS: WatchLimits = { everyMs: 5_000, timeoutMs: 10_000, misses: 3 }

/** Ends an engine that does not answer. Resolves then, or once aborted: when the engine has ended, or the machine stops. */
export async function watchEngine(
  { isAnswering, kill }: EngineHealth,
  { signal, logger }: { signal: AbortSignal; logger: Logger },
  { everyMs, timeoutMs, misses }: WatchLimits = WATCH_LIMITS,
): Promise<void> {
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
