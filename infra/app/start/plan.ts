// Computes the settings of the services of one machine: where they listen, and where their data is. They get the access to the
// store later, over a pipe.

import type { StoreAccess } from '../../base/clickhouse/settings.ts'
import type { Environment } from '../../base/runtime/config.ts'
import { findFreePort, localUrl, randomLoopback } from '../../base/runtime/ports.ts'
import { WAKE_PATH } from '../services/wake.ts'
import type { MachineService } from './supervise.ts'

export type PlannedService = { env: Environment; operatorsUrl: string }

export type Plan = Readonly<Record<MachineService, PlannedService>> & {
  /** The address for users. */
  apiUrl: string
}

export type PlanOptions = {
  env: Environment
  logLevel: string
  /** The data directory. */
  path: string
  /** Where the API listens; port 0 is any free one. */
  api: { host: string; port: number }
}

/** A service that is started again keeps its ports: its users have those. */
export async function planServices({ env, logLevel, path, api }: PlanOptions): Promise<Plan> {
  const port = api.port === 0 ? await findFreePort(api.host) : api.port
  const planService = async (more: Environment): Promise<PlannedService> => {
    const host = randomLoopback()
    const operators = { host, port: await findFreePort(host) }
    return {
      operatorsUrl: localUrl(operators),
      env: {
        ...env,
        DATA_DIR: path,
        LOG_LEVEL: logLevel,
        // Not from the environment: the password comes over the pipe.
        CLICKHOUSE_PASSWORD: undefined,
        CLICKHOUSE_CLUSTER: undefined,
        OPERATORS_HOST: host,
        OPERATORS_PORT: String(operators.port),
        ...more,
      },
    }
  }
  const reader = await planService({ PORT: String(port) })
  const writer = await planService({ WAKE_URL: new URL(WAKE_PATH, reader.operatorsUrl).href })
  return { apiUrl: localUrl({ host: api.host, port }), writer, reader }
}

export function toStoreSettings({ url, username, password, cluster }: StoreAccess): Environment {
  return {
    CLICKHOUSE_URL: url,
    CLICKHOUSE_USERNAME: username,
    CLICKHOUSE_PASSWORD: password,
    CLICKHOUSE_CLUSTER: cluster,
  }
}
