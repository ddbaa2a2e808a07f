// Defines the processes of `npm run services` with their ports, addresses and settings.

import { serviceEnvironment } from '../../infra/app/machine-settings.ts'
import { SUPERVISED } from '../../infra/app/services/service-process.ts'
import { ENGINE_USER } from '../../infra/base/clickhouse/engine-config.ts'
import type { ServiceCommand } from './service-child.ts'

export const INSTANCES = 2

export const SERVICES = ['ingest', 'projections', 'api', 'auth'] as const
export type ServiceName = (typeof SERVICES)[number]

/** Two ports per instance of a service, one each for ClickHouse and the demo chain. */
export const PORTS_NEEDED = SERVICES.length * INSTANCES * 2 + 2

export type DeploymentOptions = {
  /** `PORTS_NEEDED` free ports. */
  ports: readonly number[]
  gatewayPort: number
  brokers: string
  chainId: string
  clickhousePassword: string
  /** Contains the data of ClickHouse and the shared keys of auth. */
  folder: string
  /** The environment of every process: `PATH`, `LOG_LEVEL`. */
  common: Readonly<Record<string, string>>
}

export type Instance = ServiceCommand & { service: ServiceName; url: string; operatorsUrl: string }

export type Deployment = {
  clickhouse: ServiceCommand
  demoNode: ServiceCommand
  /** Two of each service. */
  instances: readonly Instance[]
  baseUrl: string
  /** For other commands of `rollcall` on the same deployment. */
  settings: Readonly<Record<string, string>>
}

const ANSWER_TIMEOUT_MS = 2_000

const isAnswering = async (url: string): Promise<boolean> => {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) })
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}

const loopback = (port: number): string => `http://127.0.0.1:${port}`

const definedOnly = (env: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )

export const planDeployment = (options: DeploymentOptions): Deployment => {
  const { common, chainId, brokers, clickhousePassword, folder } = options
  const ports = [...options.ports]
  const takePort = (): number => {
    const port = ports.shift()
    if (port === undefined) throw new Error(`fewer than ${PORTS_NEEDED} ports`)
    return port
  }
  const demoPort = takePort()
  const clickhousePort = takePort()
  const baseUrl = loopback(options.gatewayPort)
  const settings = {
    ...definedOnly(serviceEnvironment({}, loopback(demoPort))),
    CHAIN_ID: chainId,
    KAFKA_BROKERS: brokers,
    CLICKHOUSE_URL: loopback(clickhousePort),
    CLICKHOUSE_USERNAME: ENGINE_USER,
  }
  const secrets = { CLICKHOUSE_PASSWORD: clickhousePassword }

  const createInstance = (service: ServiceName, number: number): Instance => {
    const [port, operatorsPort] = [takePort(), takePort()]
    const operatorsUrl = loopback(operatorsPort)
    return {
      name: `${service}-${number}`,
      service,
      args: [service, `--${SUPERVISED}`],
      secrets,
      env: {
        ...common,
        ...settings,
        BASE_URL: baseUrl,
        // From any instance of auth, by choice of the gateway.
        JWKS_URL: `${baseUrl}/.well-known/jwks.json`,
        TRUST_PROXY: 'true',
        DATA_DIR: `${folder}/auth`,
        PORT: String(port),
        OPERATORS_PORT: String(operatorsPort),
      },
      url: loopback(port),
      operatorsUrl,
      isReady: () => isAnswering(`${operatorsUrl}/readyz`),
    }
  }
  return {
    demoNode: {
      name: 'demo-node',
      args: ['demo-node', '--port', String(demoPort)],
      env: common,
      isReady: () => isAnswering(`${loopback(demoPort)}/status`),
    },
    clickhouse: {
      name: 'clickhouse',
      args: ['clickhouse', '--port', String(clickhousePort), '--data-dir', `${folder}/clickhouse`],
      env: { ...common, ...secrets },
      isReady: () => isAnswering(`${loopback(clickhousePort)}/ping`),
    },
    instances: SERVICES.flatMap((service) =>
      Array.from({ length: INSTANCES }, (_, at) => createInstance(service, at + 1)),
    ),
    baseUrl,
    settings: { ...settings, ...secrets },
  }
}
