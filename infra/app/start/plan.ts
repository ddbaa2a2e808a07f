// The services of one machine: their settings, computed before they start, and the operator port of the machine, which merges theirs.

import type { StoreAccess } from '../../base/clickhouse/settings.ts'
import {
  bothReady,
  type OperatorsServer,
  type Readiness,
  startOperatorsServer,
} from '../../base/http/operators.ts'
import type { Environment } from '../../base/runtime/config.ts'
import type { Logger } from '../../base/runtime/logger.ts'
import { createMetrics } from '../../base/runtime/metrics.ts'
import { findFreePort, localUrl, randomLoopback } from '../../base/runtime/ports.ts'
import { type ServiceName, WAKE_PATH } from '../services/services.ts'
import { ask } from '../tools/rollcall-client.ts'

/** In the order of their start. */
export const MACHINE_SERVICES = ['writer', 'reader'] as const satisfies readonly ServiceName[]
export type MachineService = (typeof MACHINE_SERVICES)[number]

type PlannedService = { env: Environment; operatorsUrl: string }

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
        // Not from the environment: the access to the store comes over a pipe.
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

/** A ready service may have reasons too: notes for operators. */
const readReadiness = async (name: string, url: string): Promise<Readiness> => {
  const read = ({ status, text }: { status: number; text: string }): Readiness => {
    const { ready: _, reasons = [], ...details } = JSON.parse(text) as Partial<Readiness>
    const ready = status === 200
    return { ready, reasons: reasons.map((reason) => `${name}: ${reason}`), details }
  }
  const answer = await ask(new URL('/readyz', url), read)
  return answer ?? { ready: false, reasons: [`${name}: does not answer`] }
}

export type MachineOperatorsOptions = {
  host: string
  port: number
  plan: Plan
  /** The reason of each child that does not run, by its name. */
  down: ReadonlyMap<string, string>
  logger: Logger
}

/** A service that does not answer has no metrics and is not ready. */
export function startMachineOperators(options: MachineOperatorsOptions): Promise<OperatorsServer> {
  const { plan, down } = options
  return startOperatorsServer({
    ...options,
    metrics: [createMetrics('supervisor')],
    ready: async () => {
      const running = MACHINE_SERVICES.filter((name) => !down.has(name))
      const reasons = [...down].map(([child, reason]) => `${child}: ${reason}`)
      const answers = await Promise.all(
        running.map((name) => readReadiness(name, plan[name].operatorsUrl)),
      )
      return answers.reduce(bothReady, { ready: reasons.length === 0, reasons })
    },
    moreMetrics: async () => {
      const read = (name: MachineService) =>
        ask(new URL('/metrics', plan[name].operatorsUrl), ({ text }) => text)
      return (await Promise.all(MACHINE_SERVICES.map(read))).join('')
    },
  })
}
