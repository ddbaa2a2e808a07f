// The settings of the machine itself, and what the services see of the environment when they run together.
import { type Environment, integer, oneOf, readConfig, text } from '../../runtime/config.ts'
import { LOG_LEVELS } from '../../runtime/logger.ts'
import { operatorsSettings } from '../../runtime/operators-server.ts'

export const machineSettings = {
  dataDir: text('DATA_DIR', {
    default: '.rollcall',
    description: 'The one directory that holds everything',
  }),
  logLevel: oneOf('LOG_LEVEL', LOG_LEVELS, {
    default: 'warn',
    description: 'Which log lines are written, to standard error; info tells every height',
  }),
  ...operatorsSettings,
  clickhouseHttpPort: integer('CLICKHOUSE_HTTP_PORT', {
    optional: true,
    min: 1,
    max: 65_535,
    description:
      'Port on loopback at which analysts reach ClickHouse over HTTP; any free one where absent',
  }),
  clickhouseTcpPort: integer('CLICKHOUSE_TCP_PORT', {
    optional: true,
    min: 1,
    max: 65_535,
    description: 'Port on loopback of its native protocol; not served where absent',
  }),
  analystPassword: text('ANALYST_PASSWORD', {
    optional: true,
    secret: true,
    description: 'Password of the ClickHouse user analyst; a new one at every start where absent',
  }),
  demoBlockMs: integer('DEMO_BLOCK_MS', {
    default: 1_000,
    min: 20,
    max: 60_000,
    description: 'Time between two live blocks of the demo chain',
  }),
} as const

export const readMachineConfig = (env: Environment) => readConfig(machineSettings, env)
export type MachineConfig = ReturnType<typeof readMachineConfig>

const isSet = (value: string | undefined): value is string => (value ?? '').trim() !== ''

/** Without endpoints of a chain there is only the demo chain to follow. */
export const isDemo = (env: Environment): boolean => !isSet(env['CHAIN_RPC_URLS'])

/** Stands for the demo's URL until its port is known. */
const DEMO_PLACEHOLDER = 'http://127.0.0.1:26657'

/** The demo chain's own accounts may claim agents there. */
const DEMO_WALLETS = 'rollcall-demo-1:wasm:secp256k1'

/** In what its amounts are shown to people. */
const DEMO_UNIT = 'ROLL=uroll/6'

/** What the services are to read: the demo chain is told whole, since all of it is there. */
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
