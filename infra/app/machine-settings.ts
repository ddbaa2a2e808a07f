// The settings of one machine, and the environment of its services.
import { randomBytes } from 'node:crypto'
import { Type } from 'typebox'
import { operatorsSettings } from '../base/http/operators.ts'
import { type Environment, readConfig } from '../base/runtime/config.ts'
import { LOG_LEVELS } from '../base/runtime/logger.ts'

export const processSettings = Type.Object({
  dataDir: Type.String({
    env: 'DATA_DIR',
    default: '.rollcall',
    refusesEmpty: true,
    description: 'Directory of all data',
  }),
  logLevel: Type.Enum(LOG_LEVELS, {
    env: 'LOG_LEVEL',
    default: 'warn',
    description: 'Level of the log lines on standard error; info includes every height',
  }),
  ...operatorsSettings.properties,
})

const port = { minimum: 1, maximum: 65_535 }

/** How the embedded ClickHouse is reached from outside. */
export const engineSettings = Type.Object({
  clickhouseHttpPort: Type.Optional(
    Type.Integer({
      ...port,
      env: 'CLICKHOUSE_HTTP_PORT',
      description: 'HTTP port of ClickHouse on loopback, for analysts; by default a free one',
    }),
  ),
  clickhouseTcpPort: Type.Optional(
    Type.Integer({
      ...port,
      env: 'CLICKHOUSE_TCP_PORT',
      description: 'Port of its native protocol on loopback; disabled by default',
    }),
  ),
  analystPassword: Type.Optional(
    Type.String({
      env: 'ANALYST_PASSWORD',
      secret: true,
      description: 'Password of the ClickHouse user analyst; by default a new one at every start',
    }),
  ),
})

export const demoSettings = Type.Object({
  demoBlockMs: Type.Integer({
    env: 'DEMO_BLOCK_MS',
    default: 1_000,
    minimum: 20,
    maximum: 60_000,
    description: 'Block time of the demo chain',
  }),
  demoRecording: Type.Optional(
    Type.String({
      env: 'DEMO_RECORDING',
      description: 'Folder of another recording of the demo chain; by default that of Rollcall',
    }),
  ),
})

const machineSettings = Type.Object({
  ...processSettings.properties,
  ...engineSettings.properties,
  ...demoSettings.properties,
})

export const readMachineConfig = (env: Environment) => readConfig(machineSettings, env)

/** Works even if another setting is invalid. */
export const readDataDir = (env: Environment): string =>
  readConfig(Type.Pick(processSettings, ['dataDir']), env).dataDir
export type MachineConfig = ReturnType<typeof readMachineConfig>

export function newPassword(): string {
  return randomBytes(24).toString('base64url')
}

const isSet = (value: string | undefined): value is string => (value ?? '').trim() !== ''

/** Without this setting the machine follows the demo chain. An empty one is refused, because it names no chain. */
export const isDemo = (env: Environment): boolean => env['CHAIN_RPC_URLS'] === undefined

/** Placeholder for the URL of the demo chain until its port is known. */
const DEMO_PLACEHOLDER = 'http://127.0.0.1:26657'

/** Accounts of the demo chain may claim agents. */
const DEMO_WALLETS = 'rollcall-demo-1:wasm:secp256k1'

/** The display unit of its amounts. */
const DEMO_UNIT = 'ROLL=uroll/6'

/** The settings of the services. The demo chain is indexed from its first height, because it is complete. */
export const serviceEnvironment = (env: Environment, demoUrl = DEMO_PLACEHOLDER): Environment => {
  if (!isDemo(env)) return env
  const { START_HEIGHT: startHeight, WALLET_CHAINS: wallets, DISPLAY_UNIT: unit } = env
  return {
    ...env,
    CHAIN_RPC_URLS: demoUrl,
    START_HEIGHT: isSet(startHeight) ? startHeight : 'earliest',
    DISPLAY_UNIT: isSet(unit) ? unit : DEMO_UNIT,
    WALLET_CHAINS: isSet(wallets) ? wallets : DEMO_WALLETS,
  }
}
