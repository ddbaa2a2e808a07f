// The machine's ClickHouse as a part under supervision: the embedded one, or one of the operator's own.
import { randomBytes } from 'node:crypto'
import { startEmbeddedClickHouse } from '../clickhouse/embedded-server.ts'
import { CONTROL } from '../clickhouse/prepare.ts'
import type { StoreAccess } from '../clickhouse/settings.ts'
import type { Logger } from '../runtime/logger.ts'
import type { Engine } from './supervise.ts'

export const ANALYST_USER = 'analyst'

/** The documented views, and neither the tables behind them nor those of the service itself. */
const ANALYST_READS = [`${CONTROL}.v_*`]

export const newPassword = (): string => randomBytes(24).toString('base64url')

export type EngineOptions = {
  /** The engine's own directory. */
  path: string
  /** Those it had before or is to have; any free ones where absent. */
  ports: () => { httpPort?: number | undefined; tcpPort?: number | undefined }
  /** Told once it runs: analysts and the operator connect there. */
  onPorts: (ports: { httpPort: number; tcpPort: number }) => void
  analystPassword: string
  log: Logger
}

/** With `previous`, with the same password as that one. */
export const startEngine = async (
  options: EngineOptions,
  previous: StoreAccess | undefined,
): Promise<Engine> => {
  const { httpPort: wantedHttpPort, tcpPort: wantedTcpPort } = options.ports()
  const engine = await startEmbeddedClickHouse({
    dataDir: options.path,
    ...(wantedHttpPort === undefined ? {} : { httpPort: wantedHttpPort }),
    ...(wantedTcpPort === undefined ? {} : { tcpPort: wantedTcpPort }),
    password: previous?.password ?? newPassword(),
    readers: [{ username: ANALYST_USER, password: options.analystPassword, reads: ANALYST_READS }],
    log: options.log,
  })
  const { url, username, password, httpPort, tcpPort } = engine
  options.onPorts({ httpPort, tcpPort })
  return {
    access: { url, username, password },
    exited: engine.exited.then(({ code, signal }) => ({ code, signal, failure: undefined })),
    close: () => engine.close(),
  }
}

/** A ClickHouse that somebody else keeps running: never seen to end, never ended. */
export const foreignEngine = (access: StoreAccess): Engine => ({
  access,
  exited: new Promise(() => {}),
  close: () => Promise.resolve(),
})
