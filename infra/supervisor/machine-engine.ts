// The embedded ClickHouse as a part under supervision: its access, its tables, its end.
import { randomBytes } from 'node:crypto'
import { createStore } from '../clickhouse/client.ts'
import { startEmbeddedClickHouse } from '../clickhouse/embedded-server.ts'
import { migrate } from '../clickhouse/migrate.ts'
import type { Logger } from '../runtime/logger.ts'
import type { StoreAccess } from './messages.ts'
import type { Engine } from './supervise.ts'

/** The first and only generation there is; further ones are added by a rebuild. */
const SCHEMA = { control: 'rollcall', generation: 1 } as const

export type EngineOptions = {
  /** The engine's own directory. */
  path: string
  /** Told once it runs: analysts and the operator connect there. */
  onPorts: (ports: { httpPort: number; tcpPort: number }) => void
  log: Logger
}

/** With `previous`, at the same address and with the same password as that one. */
export const startEngine = async (
  options: EngineOptions,
  previous: StoreAccess | undefined,
): Promise<Engine> => {
  const engine = await startEmbeddedClickHouse({
    dataDir: options.path,
    ...(previous ? { httpPort: Number(new URL(previous.url).port) } : {}),
    password: previous?.password ?? randomBytes(24).toString('base64url'),
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

/** Makes what is missing; run again it changes nothing. */
export const prepareStore = async (access: StoreAccess, log: Logger): Promise<void> => {
  const store = createStore({ ...access, log })
  try {
    await migrate(store, SCHEMA)
  } finally {
    await store.close()
  }
}
