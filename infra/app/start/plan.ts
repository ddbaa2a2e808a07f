// The plan of a machine, made before anything starts: each address, the access to the store, and the settings of each service.
// What is started again keeps its ports and passwords: its users have those.
import { randomBytes } from 'node:crypto'
import { CONTROL_DATABASE } from '../../../projections/contract/database.ts'
import type { EmbeddedClickHouseOptions } from '../../base/clickhouse/embedded-server.ts'
import { ENGINE_USER } from '../../base/clickhouse/engine-config.ts'
import type { StoreAccess } from '../../base/clickhouse/settings.ts'
import type { Environment } from '../../base/runtime/config.ts'
import { findFreePort, LOOPBACK, localUrl, randomLoopback } from '../../base/runtime/ports.ts'
import type { DataDir, RunInfo } from '../data-dir.ts'
import type { MachineConfig } from '../machine-settings.ts'
import { WAKE_PATH } from '../services/services.ts'

/** In the order of their start. */
export const MACHINE_SERVICES = ['writer', 'reader'] as const
export type MachineService = (typeof MACHINE_SERVICES)[number]

type PlannedService = { env: Environment; operatorsUrl: string }

export type Plan = Readonly<Record<MachineService, PlannedService>> & {
  /** The address for users. */
  apiUrl: string
  store: StoreAccess
  /** What a service gets over a pipe: it is in no environment and on no command line. */
  secrets: Environment
  /** Absent for a ClickHouse server of the operator: it is never watched and never stopped. */
  engine?: Omit<EmbeddedClickHouseOptions, 'logger'>
  /** Of the engine, for users of the same machine. */
  shown?: Pick<RunInfo, 'analyst' | 'httpPort' | 'tcpPort'>
}

export type MachineSettings = {
  config: MachineConfig
  /** A ClickHouse server of the operator. */
  store: StoreAccess | undefined
  /** Where the API listens; port 0 is any free one. */
  api: { host: string; port: number }
}

type DataPaths = Pick<DataDir, 'path' | 'storePath'>

export function newPassword(): string {
  return randomBytes(24).toString('base64url')
}

/** The documented views, without their tables and without internal tables. */
const ANALYST_READS = [`${CONTROL_DATABASE}.v_*`]

const planEngine = async (config: MachineConfig, dataDir: DataPaths) => {
  const { clickhouseHttpPort, clickhouseTcpPort, analystPassword } = config
  // A configured port is at the usual loopback address, to which users connect.
  const isPublic = clickhouseHttpPort !== undefined || clickhouseTcpPort !== undefined
  const host = isPublic ? LOOPBACK : randomLoopback()
  const httpPort = clickhouseHttpPort ?? (await findFreePort(host))
  const tcp = clickhouseTcpPort === undefined ? {} : { tcpPort: clickhouseTcpPort }
  const analyst = { username: 'analyst', password: analystPassword ?? newPassword() }
  const password = newPassword()
  const readers = [{ ...analyst, reads: ANALYST_READS }]
  return {
    store: { url: localUrl({ host, port: httpPort }), username: ENGINE_USER, password },
    engine: { dataDir: dataDir.storePath, host, httpPort, ...tcp, password, readers },
    shown: { analyst, httpPort, ...tcp },
  }
}

/** `env` has the settings of the chain. */
export async function planMachine(
  { config, store, api }: MachineSettings,
  env: Environment,
  dataDir: DataPaths,
): Promise<Plan> {
  const planned: Pick<Plan, 'store' | 'engine' | 'shown'> = store
    ? { store }
    : await planEngine(config, dataDir)
  const { url, username, password, cluster } = planned.store
  const port = api.port === 0 ? await findFreePort(api.host) : api.port
  const planService = async (more: Environment): Promise<PlannedService> => {
    const host = randomLoopback()
    const operators = { host, port: await findFreePort(host) }
    return {
      operatorsUrl: localUrl(operators),
      env: {
        ...env,
        DATA_DIR: dataDir.path,
        LOG_LEVEL: config.logLevel,
        CLICKHOUSE_URL: url,
        CLICKHOUSE_USERNAME: username,
        CLICKHOUSE_PASSWORD: undefined,
        CLICKHOUSE_CLUSTER: cluster,
        // The logs are those of the data directory.
        KAFKA_BROKERS: undefined,
        OPERATORS_HOST: host,
        OPERATORS_PORT: String(operators.port),
        ...more,
      },
    }
  }
  const reader = await planService({ PORT: String(port) })
  const writer = await planService({ WAKE_URL: new URL(WAKE_PATH, reader.operatorsUrl).href })
  // An empty one is none.
  const secrets = password === '' ? {} : { CLICKHOUSE_PASSWORD: password }
  return { ...planned, apiUrl: localUrl({ host: api.host, port }), secrets, writer, reader }
}
