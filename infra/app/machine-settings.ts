// The settings of one machine, and the environment of its services.
import { type Environment, integer, oneOf, readConfig, text } from '../base/runtime/config.ts'
import { LOG_LEVELS } from '../base/runtime/logger.ts'
import { operatorsSettings } from '../base/runtime/operators-server.ts'

export const machineSettings = {
  dataDir: text('DATA_DIR', {
    default: '.rollcall',
    refusesEmpty: true,
    description: 'Directory of all data',
  }),
  logLevel: oneOf('LOG_LEVEL', LOG_LEVELS, {
    default: 'warn',
    description: 'Level of the log lines on standard error; info includes every height',
  }),
  ...operatorsSettings,
  clickhouseHttpPort: integer('CLICKHOUSE_HTTP_PORT', {
    optional: true,
    min: 1,
    max: 65_535,
    description: 'HTTP port of ClickHouse on loopback, for analysts; by default a free one',
  }),
  clickhouseTcpPort: integer('CLICKHOUSE_TCP_PORT', {
    optional: true,
    min: 1,
    max: 65_535,
    description: 'Port of its native protocol on loopback; disabled by default',
  }),
  analystPassword: text('ANALYST_PASSWORD', {
    optional: true,
    secret: true,
    description: 'Password of the ClickHouse user analyst; by default a new one at every start',
  }),
  demoBlockMs: integer('DEMO_BLOCK_MS', {
    default: 1_000,
    min: 20,
    max: 60_000,
    description: 'Block time of the demo chain',
  }),
  demoRecording: text('DEMO_RECORDING', {
    optional: true,
    description: 'Folder of another recording of the demo chain; by default that of Rollcall',
  }),
} as const

export const readMachineConfig = (env: Environment) => readConfig(machineSettings, env)
export type MachineConfig = ReturnType<typeof readMachineConfig>

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
