// The embedded ClickHouse as a part under supervision: its access, its tables, its end.
import { randomBytes } from 'node:crypto'
import { pointViews, readActiveGeneration } from '../clickhouse/analyst-views.ts'
import { createStore } from '../clickhouse/client.ts'
import { startEmbeddedClickHouse } from '../clickhouse/embedded-server.ts'
import { migrate } from '../clickhouse/migrate.ts'
import type { Logger } from '../runtime/logger.ts'
import type { StoreAccess } from './messages.ts'
import type { Engine } from './supervise.ts'

/** The first generation; further ones are added by a rebuild. */
const SCHEMA = { control: 'rollcall', generation: 1 } as const

export const ANALYST_USER = 'analyst'

/** The documented views, and neither the tables behind them nor those of the service itself. */
const ANALYST_READS = [`${SCHEMA.control}.v_*`]

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

/** Makes what is missing; run again it changes nothing. */
export const prepareStore = async (access: StoreAccess, log: Logger): Promise<void> => {
  const store = createStore({ ...access, log })
  try {
    await migrate(store, SCHEMA)
    const { control } = SCHEMA
    const generation = (await readActiveGeneration(store, control)) ?? SCHEMA.generation
    await pointViews(store, { control, generation })
  } finally {
    await store.close()
  }
}
