// `rollcall clickhouse` and `rollcall demo-node`: the embedded ClickHouse and the recorded demo chain as servers on a port, for
// services that run as separate processes.
import { Type } from 'typebox'
import { DEMO_NOTE } from '../../../ingest/contract/demo-chain.ts'
import { startEmbeddedClickHouse } from '../../base/clickhouse/embedded-server.ts'
import { storeSettings } from '../../base/clickhouse/settings.ts'
import { untilAborted } from '../../base/runtime/abort.ts'
import { readConfig } from '../../base/runtime/config.ts'
import { AppError, isSystemError } from '../../base/runtime/errors.ts'
import { EXIT_CODES } from '../../base/runtime/exit-codes.ts'
import { createLogger } from '../../base/runtime/logger.ts'
import { isPortFree, LOOPBACK } from '../../base/runtime/ports.ts'
import { openDataDir } from '../data-dir.ts'
import { newPassword, readMachineConfig, serviceEnvironment } from '../machine-settings.ts'
import {
  type Command,
  type CommandContext,
  HIGHEST_PORT,
  numberOption,
  textOption,
} from './command.ts'

const CLICKHOUSE_PORT = 8123
const COMETBFT_PORT = 26_657

const serveStore = async (context: CommandContext, storePath: string): Promise<number> => {
  const { env, signal, terminal } = context
  const { clickhouseHttpPort, clickhouseTcpPort: tcpPort, logLevel: level } = readMachineConfig(env)
  const { clickhousePassword } = readConfig(Type.Pick(storeSettings, ['clickhousePassword']), env)
  const chosen = numberOption(context, 'port', { min: 1, max: HIGHEST_PORT })
  const httpPort = chosen ?? clickhouseHttpPort ?? CLICKHOUSE_PORT
  // The engine reports a taken port only in its own log, after a minute.
  if (!(await isPortFree(LOOPBACK, httpPort))) {
    const message = `port ${httpPort} is in use or not permitted; choose another --port`
    throw new AppError('CONFIG_INVALID', message, { expose: true })
  }
  const destination = { write: (text: string) => terminal.log(text.trimEnd()) }
  const engine = await startEmbeddedClickHouse({
    dataDir: storePath,
    httpPort,
    tcpPort,
    password: clickhousePassword ?? newPassword(),
    logger: createLogger({ service: 'clickhouse', level, destination }),
  })
  terminal.print(`CLICKHOUSE_URL=${engine.url}`)
  terminal.print(`CLICKHOUSE_USERNAME=${engine.username}`)
  // The caller has a password from the environment.
  if (clickhousePassword === undefined) terminal.print(`CLICKHOUSE_PASSWORD=${engine.password}`)
  terminal.log(`serving ${storePath}; press Ctrl-C to stop, the data is kept`)
  const ended = await Promise.race([engine.exited, untilAborted(signal)])
  await engine.close()
  if (!ended) return EXIT_CODES.ok
  terminal.log(`rollcall: ClickHouse ended with ${ended.signal ?? `exit code ${ended.code}`}`)
  return EXIT_CODES.software
}

export const clickhouse: Command = {
  name: 'clickhouse',
  summary: 'run the embedded ClickHouse as a server until Ctrl-C',
  options: {
    port: ['<n>', `HTTP port on loopback (default CLICKHOUSE_HTTP_PORT, else ${CLICKHOUSE_PORT})`],
    'data-dir': ['<directory>', 'data directory, not used by another Rollcall (default DATA_DIR)'],
  },
  examples: [
    [
      'CLICKHOUSE_PASSWORD=… rollcall clickhouse --data-dir /srv/rollcall-store',
      'print the URL and the user; without CLICKHOUSE_PASSWORD, generate and print a password',
    ],
  ],
  run: async (context) => {
    const { dataDir } = readMachineConfig(context.env)
    const directory = await openDataDir(textOption(context, 'data-dir') ?? dataDir)
    try {
      return await serveStore(context, directory.storePath)
    } finally {
      await directory.release()
    }
  },
}

const startNode = async (context: CommandContext) => {
  const port = numberOption(context, 'port', { min: 0, max: HIGHEST_PORT }) ?? COMETBFT_PORT
  const { demoBlockMs: blockMs, demoRecording } = readMachineConfig(context.env)
  const { openRecording } = await import('../demo/recording.ts')
  const { startDemoNode } = await import('../demo/demo-node.ts')
  try {
    return await startDemoNode({ recording: openRecording(demoRecording), port, blockMs })
  } catch (error) {
    if (!isSystemError(error) || error.syscall !== 'listen') throw error
    const message = `port ${port} cannot be used (${error.message}); choose another --port`
    throw new AppError('CONFIG_INVALID', message, { expose: true, cause: error })
  }
}

export const demoNode: Command = {
  name: 'demo-node',
  summary: 'serve the recorded demo chain as an RPC endpoint until Ctrl-C',
  options: { port: ['<n>', `port on loopback; 0 for any free port (default ${COMETBFT_PORT})`] },
  examples: [
    ['rollcall demo-node', 'print the settings for services; DEMO_BLOCK_MS sets the block time'],
  ],
  run: async (context) => {
    const { signal, terminal } = context
    const node = await startNode(context)
    const settings = { CHAIN_ID: node.chainId, ...serviceEnvironment({}, node.url) }
    for (const [name, value] of Object.entries(settings)) terminal.print(`${name}=${value}`)
    terminal.log(DEMO_NOTE)
    terminal.log(`serving ${node.chainId} from height ${node.height()}; press Ctrl-C to stop`)
    await untilAborted(signal)
    await node.close()
    return EXIT_CODES.ok
  },
}
