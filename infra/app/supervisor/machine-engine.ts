// The machine's ClickHouse as a part under supervision: the embedded one, or one of the operator's own.
import { randomBytes } from 'node:crypto'
import { CONTROL_DATABASE } from '../../../projections/contract/read-model.ts'
import {
  type EmbeddedClickHouse,
  startEmbeddedClickHouse,
} from '../../clickhouse/embedded-server.ts'
import { LOOPBACK, randomLoopback } from '../../clickhouse/free-ports.ts'
import type { StoreAccess } from '../../clickhouse/settings.ts'
import type { Logger } from '../../runtime/logger.ts'
import type { Engine } from './supervise.ts'

export const ANALYST_USER = 'analyst'

/** The documented views, and neither the tables behind them nor those of the service itself. */
const ANALYST_READS = [`${CONTROL_DATABASE}.v_*`]

export const newPassword = (): string => randomBytes(24).toString('base64url')

export type EngineOptions = {
  /** The engine's own directory. */
  path: string
  /** As set by the operator; a free HTTP port, and no native one, where absent. */
  ports: { httpPort?: number | undefined; tcpPort?: number | undefined }
  analystPassword: string
  /** Called each time it runs: where it listens, and whether analysts may connect. */
  onStarted: (engine: EngineFacts) => void
  canConfine?: (() => boolean) | undefined
  logger: Logger
}

export type EngineFacts = Pick<EmbeddedClickHouse, 'httpPort' | 'tcpPort' | 'isConfined'>

/** A port that the operator set is one that people connect to, at the address they expect. */
const hostFor = ({ httpPort, tcpPort }: EngineOptions['ports']): string =>
  httpPort === undefined && tcpPort === undefined ? randomLoopback() : LOOPBACK

/** Clients know the address of the engine before; the next one listens there again. */
const listenAgain = ({ url }: StoreAccess) => {
  const { hostname, port } = new URL(url)
  return { host: hostname, httpPort: Number(port) }
}

/** With `previous`, with the same password as that one. */
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
    canConfine: options.canConfine,
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

/** A ClickHouse that somebody else keeps running: never seen to end, never ended. */
export const foreignEngine = (access: StoreAccess): Engine => ({
  access,
  exited: new Promise(() => {}),
  close: () => Promise.resolve(),
})
