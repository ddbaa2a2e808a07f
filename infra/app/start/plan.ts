// Computes the settings of the services of one machine: where they listen, and where their data is. They get the access to the
// store later, over a pipe.
import { findFreePort, randomLoopback } from '../../base/clickhouse/free-ports.ts'
import type { StoreAccess } from '../../base/clickhouse/settings.ts'
import { localUrl } from '../../base/http/listening-url.ts'
import type { Environment } from '../../base/runtime/config.ts'
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

/** Not from the environment: the password comes over the pipe. */
const NO_STORE: Environment = { CLICKHOUSE_PASSWORD: undefined, CLICKHOUSE_CLUSTER: undefined }

/** A service that is started again keeps its ports: its users have those. */
export const planServices = async ({ env, logLevel, path, api }: PlanOptions): Promise<Plan> => {
  const port = api.port === 0 ? await findFreePort(api.host) : api.port
  const planOperators = async () => {
    const host = randomLoopback()
    return { host, port: await findFreePort(host) }
  }
  const [writer, reader] = await Promise.all([planOperators(), planOperators()])
  const wakeUrl = new URL(WAKE_PATH, localUrl(reader)).href
  const planService = (operators: typeof writer, more: Environment): PlannedService => ({
    operatorsUrl: localUrl(operators),
    env: {
      ...env,
      DATA_DIR: path,
      LOG_LEVEL: logLevel,
      ...NO_STORE,
      OPERATORS_HOST: operators.host,
      OPERATORS_PORT: String(operators.port),
      ...more,
    },
  })
  return {
    apiUrl: localUrl({ host: api.host, port }),
    writer: planService(writer, { WAKE_URL: wakeUrl }),
    reader: planService(reader, { PORT: String(port) }),
  }
}

export const toStoreSettings = ({
  url,
  username,
  password,
  cluster,
}: StoreAccess): Environment => ({
  CLICKHOUSE_URL: url,
  CLICKHOUSE_USERNAME: username,
  CLICKHOUSE_PASSWORD: password,
  CLICKHOUSE_CLUSTER: cluster,
})
